package clients_test

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // the sum of the protocol
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/blobclient"
)

// copyTool is a program that copies folders to addresses and back, by commands of a shell over
// $address, its $base and $query, $id and the folder scans. What it uploads by is in docs/files.md.
type copyTool struct {
	name, program string // program is where it is, if it is not in PATH
	env           []string

	list, download, sync, remove, within string

	downloaded string // where the files of a download are
	noSum      string // the file that it sends no sum of
	otherSum   string // what it says of bytes that have another sum
}

func copyTools() []copyTool {
	return []copyTool{
		{
			name: "azcopy", program: os.Getenv("AZCOPY"),
			env:      []string{"AZCOPY_DISABLE_SYSLOG=true", "AZCOPY_SKIP_VERSION_CHECK=true"},
			list:     `azcopy list "$address" --location Blob`,
			download: `azcopy copy "$address" down --from-to BlobLocal --recursive --check-md5 FailIfDifferent`,
			sync:     `azcopy sync scans "$address" --from-to LocalBlob --put-md5 --delete-destination true`,
			remove:   `azcopy remove "$address" --from-to BlobTrash --recursive`,
			within:   `azcopy copy "$base/empty.txt?$query" "$base/copy.txt?$query" --from-to BlobBlob`,

			downloaded: "down/$id", noSum: "empty.txt", otherSum: "MD5 hash",
		},
		{
			name: "rclone",
			env:  []string{"RCLONE_CONFIG_SITE_TYPE=azureblob", "RCLONE_RETRIES=1", "RCLONE_LOW_LEVEL_RETRIES=1"},
			list: `rclone lsf --recursive site:$id --azureblob-sas-url "$address"`,
			download: `rclone copy site:$id down --azureblob-sas-url "$address" &&
				rclone check scans site:$id --azureblob-sas-url "$address"`,
			sync:   `rclone sync scans site:$id --azureblob-sas-url "$address"`,
			remove: `rclone delete site:$id --azureblob-sas-url "$address"`,
			within: `rclone copyto site:$id/empty.txt site:$id/copy.txt --azureblob-sas-url "$address"`,

			downloaded: "down", otherSum: "corrupted on transfer",
		},
	}
}

// documented is how a tool uploads the folder scans, as the page says it.
func documented(t *testing.T, tool string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/files.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^` + tool + ` .*\$address.*$`).Find(page)
	if command == nil {
		t.Fatalf("the page has no command of %s", tool)
	}
	return string(command)
}

// copying is a tool with a folder, and a server to copy it to.
type copying struct {
	copyTool

	*whole
	at  blobclient.Addresses
	dir string
}

// newCopying skips a test where the tool is not there.
func newCopying(t *testing.T, tool copyTool) *copying {
	t.Helper()
	path, err := exec.LookPath(tool.name)
	if tool.program != "" {
		path, err = filepath.Abs(tool.program)
	}
	if err != nil {
		t.Skipf("SKIPPED: there is no %s here; bash .ci/run contract gets one where it can", tool.name)
	}
	c := &copying{copyTool: tool, whole: newWhole(t), dir: t.TempDir()}
	for _, folder := range []string{"bin", "home", "log", "plan", "scans/größe 1"} {
		if err := os.MkdirAll(filepath.Join(c.dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(path, filepath.Join(c.dir, "bin", tool.name)); err != nil {
		t.Fatal(err)
	}
	large := make([]byte, 30<<20)
	_, _ = rand.NewChaCha8([32]byte{7}).Read(large)
	c.write(t, "größe 1/scan ä.las", large)
	c.write(t, "größe 1/notes & more.txt", []byte("Brücke 7"))
	c.write(t, "empty.txt", nil)
	c.at, _ = c.Start(t)
	return c
}

// write writes a file of the folder, as long ago as no tool takes for the present.
func (c *copying) write(t *testing.T, name string, content []byte) {
	t.Helper()
	file := write(t, filepath.Join(c.dir, "scans", name), content)
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, past, past); err != nil {
		t.Fatal(err)
	}
}

// do runs a command at an address, and returns what the tool says there and in its log.
func (c *copying) do(t *testing.T, command, address string) (says string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	in := func(name string) string { return filepath.Join(c.dir, name) }
	logs := in("log")
	if err := os.RemoveAll(logs); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", command) //nolint:gosec // the test's own
	cmd.Dir, cmd.WaitDelay = c.dir, time.Second
	cmd.Env = append(os.Environ(), c.env...)
	base, query, _ := strings.Cut(address, "?")
	path := in("bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	cmd.Env = append(
		cmd.Env, "address="+address, "base="+base, "query="+query, "id="+c.data, "PATH="+path, "HOME="+in("home"),
		"AZCOPY_LOG_LOCATION="+logs, "AZCOPY_JOB_PLAN_LOCATION="+in("plan"), "RCLONE_CONFIG="+in("home/rclone.conf"),
	)
	out, err := cmd.CombinedOutput()
	files, _ := filepath.Glob(filepath.Join(logs, "*.log"))
	for _, file := range files {
		more, failed := os.ReadFile(file)
		if failed != nil {
			t.Fatal(failed)
		}
		out = append(out, more...)
	}
	return string(out), err
}

// must is do of what succeeds.
func (c *copying) must(t *testing.T, command, address string) string {
	t.Helper()
	says, err := c.do(t, command, address)
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, says)
	}
	return says
}

// refused wants a command to fail, and the tool to pass on why.
func (c *copying) refused(t *testing.T, command, address string, wants ...string) {
	t.Helper()
	says, err := c.do(t, command, address)
	if err == nil {
		t.Errorf("%s succeeds:\n%s", command, says)
	}
	for _, want := range wants {
		if !strings.Contains(says, want) {
			t.Errorf("%s does not say %q:\n%s", command, want, says)
		}
	}
}

// sumsBelow are the sums of the files in a folder.
func sumsBelow(t *testing.T, folder string) map[string]string {
	t.Helper()
	sums := make(map[string]string)
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(folder, name))
		sum := md5.Sum(content) //nolint:gosec // the sum of the protocol
		sums[name] = string(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// open opens an address with the library of Go.
func open(t *testing.T, address string) *container.Client {
	t.Helper()
	client, err := container.NewClientWithNoCredential(address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// stored are the files at an address, as the library of Go lists them.
func stored(t *testing.T, address string) map[string]*container.BlobProperties {
	t.Helper()
	files := make(map[string]*container.BlobProperties)
	for pages := open(t, address).NewListBlobsFlatPager(nil); pages.More(); {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range page.Segment.BlobItems {
			files[*b.Name] = b.Properties
		}
	}
	return files
}

// storedSums are the sums that the files at an address were sent with.
func storedSums(t *testing.T, address string) map[string]string {
	t.Helper()
	sums := make(map[string]string)
	for name, of := range stored(t, address) {
		sums[name] = string(of.ContentMD5)
	}
	return sums
}

// eachTool runs a test with each of the tools.
func eachTool(t *testing.T, test func(t *testing.T, c *copying)) {
	t.Helper()
	for _, tool := range copyTools() {
		t.Run(tool.name, func(t *testing.T) {
			t.Parallel()
			test(t, newCopying(t, tool))
		})
	}
}

func TestToolsCopyAFolderToAnAddressAndBack(t *testing.T) {
	t.Parallel()
	eachTool(t, func(t *testing.T, c *copying) {
		c.must(t, documented(t, c.name), c.at.Write)
		want := sumsBelow(t, filepath.Join(c.dir, "scans"))
		sent := storedSums(t, c.at.Read)
		if c.noSum != "" {
			sent[c.noSum] += want[c.noSum]
		}
		if diff := cmp.Diff(want, sent); diff != "" {
			t.Errorf("the sums of what is there (-want +got)\n%s", diff)
		}
		large := open(t, c.at.Read).NewBlockBlobClient("größe 1/scan ä.las")
		list, err := large.GetBlockList(t.Context(), blockblob.BlockListTypeCommitted, nil)
		if err != nil || len(list.CommittedBlocks) < 2 {
			t.Errorf("the large file has the blocks %v, %v", list.CommittedBlocks, err)
		}
		listed := c.must(t, c.list, c.at.Read)
		for name := range want {
			if !strings.Contains(listed, name) {
				t.Errorf("the list has no %s:\n%s", name, listed)
			}
		}
		c.must(t, c.download, c.at.Read)
		came := strings.ReplaceAll(c.downloaded, "$id", c.data)
		if diff := cmp.Diff(want, sumsBelow(t, filepath.Join(c.dir, came))); diff != "" {
			t.Errorf("what comes back (-want +got)\n%s", diff)
		}
		c.must(t, c.remove, c.at.Write)
		if left := stored(t, c.at.Read); len(left) > 0 {
			t.Errorf("there remain %v", left)
		}
	})
}

func TestToolsSynchronizeWhatHasChangedAndNothingElse(t *testing.T) {
	t.Parallel()
	eachTool(t, func(t *testing.T, c *copying) {
		tags := func() map[string]string {
			tags := make(map[string]string)
			for name, of := range stored(t, c.at.Read) {
				tags[name] = string(*of.ETag)
			}
			return tags
		}
		c.must(t, c.sync, c.at.Write)
		first := tags()
		c.must(t, c.sync, c.at.Write)
		if diff := cmp.Diff(first, tags()); len(first) != 3 || diff != "" {
			t.Errorf("the second time changes (-before +after)\n%s", diff)
		}
		write(t, filepath.Join(c.dir, "scans/empty.txt"), []byte("no longer"))
		future := time.Now().Add(time.Hour)
		if err := os.Chtimes(filepath.Join(c.dir, "scans/empty.txt"), future, future); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(c.dir, "scans/größe 1/notes & more.txt")); err != nil {
			t.Fatal(err)
		}
		c.must(t, c.sync, c.at.Write)
		third, scan := tags(), "größe 1/scan ä.las"
		if len(third) != 2 || third["empty.txt"] == first["empty.txt"] || third[scan] != first[scan] {
			t.Errorf("there were %v, and are %v", first, third)
		}
	})
}

func TestToolsPassOnWhyTheyAreRefused(t *testing.T) {
	t.Parallel()
	eachTool(t, func(t *testing.T, c *copying) {
		// rclone 1.60 never ends when blocks of a large file are refused.
		if err := os.Remove(filepath.Join(c.dir, "scans/größe 1/scan ä.las")); err != nil {
			t.Fatal(err)
		}
		upload := documented(t, c.name)
		c.must(t, upload, c.at.Write)
		before := stored(t, c.at.Read)
		write(t, filepath.Join(c.dir, "scans/late.txt"), []byte("late"))
		c.refused(t, upload, c.at.Expired, "403", "AuthenticationFailed",
			"The address does not permit this, or has expired. Ask for a new one.")
		c.refused(t, upload, c.at.Read, "403", "AuthorizationPermissionMismatch",
			"The address is for reading alone. Ask for one for writing.")
		c.refused(t, c.within, c.at.Write, "400", "UnsupportedHeader", "Read the file, and write it here.")
		if diff := cmp.Diff(before, stored(t, c.at.Read)); diff != "" {
			t.Errorf("what was refused changes (-before +after)\n%s", diff)
		}
		notes := open(t, c.at.Write).NewBlobClient("größe 1/notes & more.txt")
		wrong := md5.Sum([]byte("other")) //nolint:gosec // the sum of the protocol
		if _, err := notes.SetHTTPHeaders(t.Context(), blob.HTTPHeaders{BlobContentMD5: wrong[:]}, nil); err != nil {
			t.Fatal(err)
		}
		c.refused(t, c.download, c.at.Read, c.otherSum)
	})
}

func TestToolsThatMarkFoldersShutNoneOfThem(t *testing.T) {
	t.Parallel()
	c := newCopying(t, copyTools()[0])
	if err := os.Mkdir(filepath.Join(c.dir, "scans/leer"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		c.must(t, documented(t, c.name)+" --include-directory-stub", c.at.Write)
		if got := stored(t, c.at.Read); len(got) != 3 {
			t.Errorf("there are %v, want the 3 files", got)
		}
	}
	page, err := open(t, c.at.Read).NewListBlobsHierarchyPager("/", nil).NextPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, p := range page.Segment.BlobPrefixes {
		folders = append(folders, *p.Name)
	}
	if diff := cmp.Diff([]string{"größe 1/", "leer/"}, folders); diff != "" {
		t.Errorf("the folders (-want +got)\n%s", diff)
	}
	c.must(t, c.remove, c.at.Write)
	if left := stored(t, c.at.Read); len(left) > 0 {
		t.Errorf("there remain %v", left)
	}
}

func TestLibraryOfGoTakesAddressesApartAndUsesThem(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	at, _ := w.Start(t)
	parts, err := sas.ParseURL(at.Write)
	if err != nil {
		t.Fatal(err)
	}
	parts.BlobName = "größe 1/scan ä.las"
	file, err := blockblob.NewClientWithNoCredential(parts.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	content := bytes.Repeat([]byte("Brücke 7"), 1<<18)
	sum := md5.Sum(content) //nolint:gosec // the sum of the protocol
	blocks := &blockblob.UploadBufferOptions{BlockSize: 1 << 20, HTTPHeaders: &blob.HTTPHeaders{BlobContentMD5: sum[:]}}
	if _, err := file.UploadBuffer(t.Context(), content, blocks); err != nil {
		t.Fatal(err)
	}
	back := make([]byte, len(content))
	if n, err := file.DownloadBuffer(t.Context(), back, nil); err != nil || !bytes.Equal(back[:n], content) {
		t.Errorf("there come %d bytes back, %v", n, err)
	}
	if diff := cmp.Diff(map[string]string{parts.BlobName: string(sum[:])}, storedSums(t, at.Read)); diff != "" {
		t.Errorf("the files (-want +got)\n%s", diff)
	}
	other := md5.Sum([]byte("other")) //nolint:gosec // the sum of the protocol
	checked := &blockblob.UploadOptions{TransactionalValidation: blob.TransferValidationTypeMD5(other[:])}
	_, err = file.Upload(t.Context(), streaming.NopCloser(bytes.NewReader(content)), checked)
	for _, want := range []string{"400", "Md5Mismatch", "The bytes have another MD5 sum than the request says."} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("bytes with another sum: %v, want %q", err, want)
		}
	}
}

// Names that are not their own cleaned path go through a whole server as they are.
func TestNamesThatArePathsOfOthersAreRefusedByAWholeServer(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	at, _ := w.Start(t)
	base, query, _ := strings.Cut(at.Write, "?")
	for _, name := range []string{"a//b", "a/./b", "a/../b", "/a", "a%2F%2Fb", "a/%2e%2e/b", "a//"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, base+"/"+name+"?"+query, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Ms-Blob-Type", "BlockBlob")
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		named := bytes.Contains(body, []byte("<Code>InvalidResourceName</Code>"))
		if err != nil || res.StatusCode != http.StatusBadRequest || !named {
			t.Errorf("%s: %d %s, %v", name, res.StatusCode, body, err)
		}
	}
	if files := stored(t, at.Read); len(files) > 0 {
		t.Errorf("there are %v", files)
	}
}
