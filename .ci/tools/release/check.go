package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"
	"golang.org/x/tools/go/packages"
)

// check says everything that stands against the release, not only the first of it.
func (r *release) check() error {
	return errors.Join(r.checkTree(), r.checkTags(), r.checkRequirements(), r.checkChangelog(), r.checkAPI())
}

func (r *release) checkTree() error {
	status, err := r.git("status", "--porcelain")
	if err != nil {
		return err
	}
	if status != "" {
		return fmt.Errorf("there are changes that are not committed:\n%s", status)
	}
	return nil
}

func (r *release) checkTags() error {
	var errs []error
	for _, m := range r.released() {
		if _, err := r.git("rev-parse", "--quiet", "--verify", "refs/tags/"+m.tag(r.version)); err == nil {
			errs = append(errs, fmt.Errorf("there is a tag %s already", m.tag(r.version)))
		}
	}
	return errors.Join(errs...)
}

func (r *release) checkRequirements() error {
	var errs []error
	for _, m := range r.modules {
		for _, req := range m.file.Require {
			if r.ours(req.Mod.Path) && req.Mod.Version != r.version {
				errs = append(errs, fmt.Errorf("%s requires %s, not %s: run set %[3]s and commit", m.path, req.Mod,
					r.version))
			}
		}
	}
	return errors.Join(errs...)
}

var heading = regexp.MustCompile(`(?m)^## .*$`)

// section is what CHANGELOG.md says of a version.
func section(changelog, title string) (text string, ok bool) {
	for _, at := range heading.FindAllStringIndex(changelog, -1) {
		name := strings.TrimPrefix(changelog[at[0]:at[1]], "## ")
		if name != title && !strings.HasPrefix(name, title+" (") {
			continue
		}
		text = changelog[at[1]:]
		if next := heading.FindStringIndex(text); next != nil {
			text = text[:next[0]]
		}
		return strings.TrimSpace(text), true
	}
	return "", false
}

func (r *release) checkChangelog() error {
	data, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	notes, ok := section(string(data), strings.TrimPrefix(r.version, "v"))
	if !ok || notes == "" {
		return fmt.Errorf("CHANGELOG.md has no section %q, or nothing in it", strings.TrimPrefix(r.version, "v"))
	}
	if left, _ := section(string(data), "Unreleased"); left != "" {
		return errors.New("CHANGELOG.md has changes under Unreleased, which would be released without being listed")
	}
	return nil
}

// checkAPI compares the Go API with the release before, which the version must allow for:
// before v1 a minor version may change it, and after v1 nothing but a major version may.
func (r *release) checkAPI() error {
	before, err := r.before()
	if err != nil || before == "" {
		return err
	}
	breaks, err := r.incompatible(before)
	if err != nil || len(breaks) == 0 {
		return err
	}
	allowed := semver.Major(before) != semver.Major(r.version)
	if semver.Major(r.version) == "v0" {
		allowed = semver.MajorMinor(before) != semver.MajorMinor(r.version)
	}
	if allowed {
		fmt.Printf("%d changes of the Go API since %s, which CHANGELOG.md has to list:\n%s\n", len(breaks), before,
			strings.Join(breaks, "\n"))
		return nil
	}
	return fmt.Errorf("%s may not change the Go API of %s as it does:\n%s", r.version, before,
		strings.Join(breaks, "\n"))
}

// before is the last release ahead of this one, empty where there is none.
func (r *release) before() (string, error) {
	tags, err := r.git("tag", "--list", "v*", "--merged", "HEAD")
	if err != nil {
		return "", err
	}
	versions := slices.DeleteFunc(strings.Fields(tags), func(tag string) bool {
		return !semver.IsValid(tag) || semver.Compare(tag, r.version) >= 0
	})
	if len(versions) == 0 {
		fmt.Println("there is no release before, with which the Go API could be compared")
		return "", nil
	}
	return slices.MaxFunc(versions, semver.Compare), nil
}

// incompatible lists, by package, what programs that compile with the release before may
// not compile with any more.
func (r *release) incompatible(before string) ([]string, error) {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if _, err := r.git("worktree", "add", "--detach", "--quiet", dir, before); err != nil {
		return nil, err
	}
	defer func() { _, _ = r.git("worktree", "remove", "--force", dir) }()
	was, err := r.load(dir)
	if err != nil {
		return nil, err
	}
	is, err := r.load(r.root)
	if err != nil {
		return nil, err
	}
	var breaks []string
	for name, old := range was {
		now, ok := is[name]
		if !ok {
			breaks = append(breaks, name+": the package is gone")
			continue
		}
		for _, change := range apidiff.Changes(old.Types, now.Types).Changes {
			if !change.Compatible {
				breaks = append(breaks, name+": "+change.Message)
			}
		}
	}
	slices.Sort(breaks)
	return breaks, nil
}

// load type-checks the packages of the root module that others can import.
func (r *release) load(dir string) (map[string]*packages.Package, error) {
	loaded, err := packages.Load(&packages.Config{
		Context: r.ctx, Dir: dir,
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
	}, "./...")
	if err != nil {
		return nil, err
	}
	byPath := make(map[string]*packages.Package)
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
		if p.Name != "main" && !slices.Contains(strings.Split(p.PkgPath, "/"), "internal") {
			byPath[p.PkgPath] = p
		}
	}
	return byPath, nil
}
