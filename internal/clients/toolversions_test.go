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
	rows := regexp.MustCompile("(?m)^\\| `([a-z@/-]+)`[^|]* \\| ([0-9]\\S+) \\|")
	got := make(map[string]string)
	for _, row := range rows.FindAllSubmatch(read("../../docs/comparison.md"), -1) {
		got[string(row[1])] = string(row[2])
	}
	npm := func(lock, name string) string {
		var of struct {
			Packages map[string]struct{ Version string }
		}
		if err := json.Unmarshal(read(lock), &of); err != nil {
			t.Fatal(err)
		}
		return of.Packages["node_modules/"+name].Version
	}
	module := func(path string) string {
		found := regexp.MustCompile(path + ` v(\S+)`).FindSubmatch(read("go.mod"))
		if found == nil {
			t.Fatalf("go.mod requires no %s", path)
		}
		return string(found[1])
	}
	const blobs, generators, ts = "../blobclient/package-lock.json", "generators/package-lock.json", "ts/package-lock.json"
	want := map[string]string{
		"azcopy":                 npm(blobs, "@azure-tools/azcopy-linux"),
		"@azure/storage-blob":    npm(blobs, "@azure/storage-blob"),
		"azblob":                 module("storage/azblob"),
		"rclone":                 got["rclone"],
		"@hey-api/openapi-ts":    npm(generators, "@hey-api/openapi-ts"),
		"orval":                  npm(generators, "orval"),
		"swagger-typescript-api": npm(generators, "swagger-typescript-api"),
		"openapi-typescript":     npm(ts, "openapi-typescript"),
		"oapi-codegen":           module("oapi-codegen/oapi-codegen/v2"),
	}
	out, err := exec.CommandContext(t.Context(), "rclone", "version").Output()
	if is := regexp.MustCompile(`^rclone v([\d.]+)`).FindSubmatch(out); err == nil && is != nil && os.Getenv("CI") != "" {
		want["rclone"] = string(is[1])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/comparison.md has other versions than are installed (-want +got)\n%s", diff)
	}
}
