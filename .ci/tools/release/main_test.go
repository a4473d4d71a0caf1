package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a small one with a nested module, at which v0.1.0 was released.
func repository(t *testing.T) *release {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/lib\n\ngo 1.26\n")
	write(t, dir, "lib.go", "package lib\n\nfunc Old() {}\n")
	write(t, dir, "nested/go.mod", "module example.com/lib/nested\n\ngo 1.26\n\nrequire example.com/lib v0.1.0\n\nreplace example.com/lib => ..\n")
	write(t, dir, "nested/nested.go", "package nested\n\nimport _ \"example.com/lib\"\n")
	write(t, dir, "internal/tried/go.mod", "module example.com/lib/internal/tried\n\ngo 1.26\n")
	write(t, dir, "internal/tried/tried.go", "package tried\n")
	write(t, dir, "CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n")
	r := &release{ctx: t.Context(), root: dir}
	git(t, r, "init", "-q")
	commit(t, r)
	git(t, r, "tag", "v0.1.0")
	return r
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, r *release, args ...string) {
	t.Helper()
	if _, err := r.git(append([]string{"-c", "user.name=x", "-c", "user.email=x@localhost"}, args...)...); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, r *release) {
	t.Helper()
	git(t, r, "add", "-A")
	git(t, r, "commit", "-qm", "x")
}

// version opens the repository for the release of a version, with all set for it.
func version(t *testing.T, r *release, v, changelog string) *release {
	t.Helper()
	write(t, r.root, "CHANGELOG.md", changelog)
	opened, err := open(t.Context(), r.root, v)
	if err != nil {
		t.Fatal(err)
	}
	if err := opened.setRequirements(); err != nil {
		t.Fatal(err)
	}
	commit(t, r)
	if opened, err = open(t.Context(), r.root, v); err != nil {
		t.Fatal(err)
	}
	return opened
}

func TestFaultsOfAReleaseAreFound(t *testing.T) {
	t.Parallel()
	const notes = "# Changelog\n\n## Unreleased\n\n## 0.1.1 (2026-02-02)\n\n- More.\n\n## 0.2.0 (2026-02-02)\n\n- More.\n"
	for name, tt := range map[string]struct {
		version, changelog, source, left string
		want                             string // part of the error; empty where there is none
	}{
		"nothing":                         {version: "v0.1.1", changelog: notes, source: "package lib\n\nfunc Old() {}\n\nfunc New() {}\n"},
		"a patch that takes a function":   {version: "v0.1.1", changelog: notes, source: "package lib\n", want: "Old: removed"},
		"a minor version may take it":     {version: "v0.2.0", changelog: notes, source: "package lib\n"},
		"no notes":                        {version: "v0.3.0", changelog: notes, source: "package lib\n", want: "no section"},
		"changes that would not be noted": {version: "v0.1.1", changelog: strings.Replace(notes, "Unreleased\n", "Unreleased\n\n- Not yet.\n", 1), source: "package lib\n\nfunc Old() {}\n", want: "under Unreleased"},
		"changes that are not committed":  {version: "v0.1.1", changelog: notes, source: "package lib\n\nfunc Old() {}\n", left: "x", want: "not committed"},
		"a version that is there":         {version: "v0.1.0", changelog: notes + "\n## 0.1.0\n\n- The first.\n", source: "package lib\n\nfunc Old() {}\n", want: "a tag v0.1.0 already"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := repository(t)
			write(t, r.root, "lib.go", tt.source)
			r = version(t, r, tt.version, tt.changelog)
			if tt.left != "" {
				write(t, r.root, "left.txt", tt.left)
			}
			err := r.check()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("check: %v, want %q", err, tt.want)
			}
		})
	}
}

func TestAModuleThatRequiresAnotherVersionIsNotReleased(t *testing.T) {
	t.Parallel()
	r := repository(t)
	r.version = "v0.2.0"
	opened, err := open(t.Context(), r.root, "v0.2.0")
	if err != nil {
		t.Fatal(err)
	}
	if err := opened.checkRequirements(); err == nil || !strings.Contains(err.Error(), "requires example.com/lib@v0.1.0, not v0.2.0") {
		t.Errorf("checkRequirements: %v", err)
	}
}

func TestModulesThatCannotBeUsedOutsideAreNotReleased(t *testing.T) {
	t.Parallel()
	r, err := open(t.Context(), repository(t).root, "v0.2.0")
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, m := range r.released() {
		tags = append(tags, m.tag(r.version))
	}
	if got, want := strings.Join(tags, " "), "v0.2.0 nested/v0.2.0"; got != want {
		t.Errorf("tags are %s, want %s", got, want)
	}
}
