package clients_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// modules are tools that are modules of Go; any other is a package of npm, and packages has the names that differ.
var (
	modules = map[string]string{
		"azblob":       "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob",
		"oapi-codegen": "github.com/oapi-codegen/oapi-codegen/v2",
		"ogen":         "github.com/ogen-go/ogen",

		"versitygw":       "github.com/versity/versitygw",
		"rclone serve s3": "github.com/rclone/rclone",
	}
	packages = map[string]string{"azcopy": "@azure-tools/azcopy-linux"}
)

// installed are the versions that .ci/run installs, by tool. rclone is what Debian has: "" where it is not there.
func installed(t *testing.T) map[string]string {
	t.Helper()
	read := func(name string) []byte {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	out := make(map[string]string)
	for tool, path := range modules {
		required := slices.Concat(read("go.mod"), read("../../.ci/s3/go.mod"))
		found := regexp.MustCompile(`(?m)^(?:require|)\s` + path + ` v(\S+)`).FindSubmatch(required)
		if found == nil {
			t.Fatalf("no go.mod requires %s", path)
		}
		out[tool] = string(found[1])
	}
	for lock, tools := range map[string][]string{
		"../blobclient/package-lock.json": {"azcopy", "@azure/storage-blob"},
		"generators/package-lock.json":    {"@hey-api/openapi-ts", "orval", "swagger-typescript-api"},
		"ts/package-lock.json":            {"openapi-typescript"},
	} {
		var of struct {
			Packages map[string]struct{ Version string }
		}
		if err := json.Unmarshal(read(lock), &of); err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools {
			out[tool] = of.Packages["node_modules/"+cmp.Or(packages[tool], tool)].Version
		}
	}
	out["rclone"] = ""
	text, err := exec.CommandContext(t.Context(), "rclone", "version").Output()
	if is := regexp.MustCompile(`^rclone v([\d.]+)`).FindSubmatch(text); err == nil && is != nil {
		out["rclone"] = string(is[1])
	}
	return out
}

// The page is held to Debian's rclone where CI runs.
func TestToolsAreOfTheVersionsThatThePageSays(t *testing.T) {
	t.Parallel()
	got, want := make(map[string]string), installed(t)
	for _, page := range []string{"../../docs/comparison.md", "../../docs/stores.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		rows := regexp.MustCompile("(?m)^\\| [^|`]*`([a-z0-9@/ -]+)`[^|]* \\| ([0-9]+\\.[0-9]+\\S+) \\|")
		for _, row := range rows.FindAllSubmatch(text, -1) {
			got[string(row[1])] = string(row[2])
		}
	}
	if want["rclone"] == "" || os.Getenv("CI") == "" {
		want["rclone"] = got["rclone"]
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("the pages have other versions than are installed (-want +got)\n%s", diff)
	}
}

// The newest releases are asked for where the clients of generators were made, which needs the
// registries too. Others must be able to use today's release of what they know.
func TestNoToolIsMoreThanTwoMinorReleasesBehind(t *testing.T) {
	t.Parallel()
	if os.Getenv("GENERATORS") == "" {
		t.Skip("SKIPPED: GENERATORS is not set; bash .ci/run contract asks what the newest releases are")
	}
	newest := func(name string, args ...string) string {
		out, err := exec.CommandContext(t.Context(), name, args...).Output()
		if err != nil {
			t.Skipf("SKIPPED: no registry says what is the newest release: %s %v: %v", name, args, err)
		}
		return strings.TrimSpace(string(out))
	}
	minor := func(version string) (major, minor int) {
		if _, err := fmt.Sscanf(version, "%d.%d.", &major, &minor); err != nil {
			t.Fatalf("a version of another form: %q", version)
		}
		return major, minor
	}
	for tool, is := range installed(t) {
		var latest string
		switch path := modules[tool]; {
		case tool == "rclone":
			continue // is Debian's
		case path != "":
			latest = strings.TrimPrefix(newest("go", "list", "-m", "-f", "{{.Version}}", path+"@latest"), "v")
		default:
			latest = newest("npm", "view", cmp.Or(packages[tool], tool), "version")
		}
		major, small := minor(latest)
		if ours, our := minor(is); ours != major || small-our > 2 {
			t.Errorf("%s is %s here, and %s is out: raise it, run bash .ci/run contract, and say so in docs", tool, is, latest)
		}
	}
}
