package clients_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Versions are written where tools are installed from. rclone is what Debian has, and the page is
// held to it where CI runs.
func TestToolsAreOfTheVersionsThatThePageSays(t *testing.T) {
	t.Parallel()
	read := func(name string) []byte {
		t.Helper()
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	rows := regexp.MustCompile("(?m)^\\| `(azcopy|rclone|@azure/storage-blob|azblob)`[^|]* \\| (\\S+) \\|")
	got := make(map[string]string)
	for _, row := range rows.FindAllSubmatch(read("../../docs/comparison.md"), -1) {
		got[string(row[1])] = string(row[2])
	}
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	if err := json.Unmarshal(read("../blobclient/package-lock.json"), &lock); err != nil {
		t.Fatal(err)
	}
	azblob := regexp.MustCompile(`storage/azblob v(\S+)`).FindSubmatch(read("go.mod"))
	if azblob == nil {
		t.Fatal("go.mod requires no azblob")
	}
	want := map[string]string{
		"azcopy":              lock.Packages["node_modules/@azure-tools/azcopy-linux"].Version,
		"@azure/storage-blob": lock.Packages["node_modules/@azure/storage-blob"].Version,
		"azblob":              string(azblob[1]),
		"rclone":              got["rclone"],
	}
	out, err := exec.CommandContext(t.Context(), "rclone", "version").Output()
	if is := regexp.MustCompile(`^rclone v([\d.]+)`).FindSubmatch(out); err == nil && is != nil && os.Getenv("CI") != "" {
		want["rclone"] = string(is[1])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/comparison.md has other versions than are installed (-want +got)\n%s", diff)
	}
}
