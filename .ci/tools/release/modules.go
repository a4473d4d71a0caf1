package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// release is what is to be released: the modules at HEAD of a repository, as one version.
type release struct {
	ctx     context.Context // of the run of this command
	root    string
	version string
	modules []module // the one at the root first
}

// module is one go.mod of the repository.
type module struct {
	dir  string // below the root, with slashes; empty for the root
	path string
	file *modfile.File
}

// tag is the name of the tag by which the go command finds a version of the module.
func (m module) tag(version string) string { return path.Join(m.dir, version) }

func open(ctx context.Context, root, version string) (*release, error) {
	r := &release{ctx: ctx, root: root, version: version}
	files, err := r.git("ls-files", "go.mod", "*/go.mod")
	if err != nil {
		return nil, err
	}
	for name := range strings.FieldsSeq(files) {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		file, err := modfile.Parse(name, data, nil)
		if err != nil {
			return nil, err
		}
		dir := path.Dir(name)
		if dir == "." {
			dir = ""
		}
		r.modules = append(r.modules, module{dir: dir, path: file.Module.Mod.Path, file: file})
	}
	slices.SortFunc(r.modules, func(a, b module) int { return strings.Compare(a.dir, b.dir) })
	if len(r.modules) == 0 || r.modules[0].dir != "" {
		return nil, fmt.Errorf("%s is not the root of the repository", root)
	}
	return r, nil
}

// released are the modules that programs outside can use: those with packages that are
// neither internal nor tools of the repository.
func (r *release) released() []module {
	return slices.DeleteFunc(slices.Clone(r.modules), func(m module) bool {
		parts := strings.Split(m.dir, "/")
		if slices.Contains(parts, "internal") || parts[0] == ".ci" {
			return true
		}
		sources, err := r.git("ls-files", "--", path.Join(m.dir, "*.go"))
		return err == nil && !slices.ContainsFunc(strings.Fields(sources), func(name string) bool {
			return !strings.HasSuffix(name, "_test.go")
		})
	})
}

// setRequirements makes nested modules require the others at the version that is being
// released. In the repository they are replaced by their folders all the same: the go
// command heeds replacements in the main module alone, and requirements everywhere.
func (r *release) setRequirements() error {
	for _, m := range r.modules {
		changed := false
		for _, req := range m.file.Require {
			if r.ours(req.Mod.Path) && req.Mod.Version != r.version {
				if err := m.file.AddRequire(req.Mod.Path, r.version); err != nil {
					return err
				}
				changed = true
			}
		}
		if !changed {
			continue
		}
		m.file.Cleanup()
		data, err := m.file.Format()
		if err != nil {
			return err
		}
		name := filepath.Join(r.root, filepath.FromSlash(m.dir), "go.mod")
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
		fmt.Println("set", path.Join(m.dir, "go.mod"))
	}
	return nil
}

// ours reports whether a module is one of the repository.
func (r *release) ours(modulePath string) bool {
	return slices.ContainsFunc(r.modules, func(m module) bool { return m.path == modulePath })
}

// git is what a git command prints.
func (r *release) git(args ...string) (string, error) { return r.output(r.root, nil, "git", args...) }

// output is what a command prints, run in a folder with more in its environment.
func (r *release) output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(r.ctx, name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}
