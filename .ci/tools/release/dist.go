package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// platforms lists the platforms for which programs are built where none is named.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// program is what people install, and where it is.
const (
	program     = "twinplatform"
	programPath = "./cmd/twinplatform"
)

// dist builds the program for platforms and writes, into an empty folder: an archive
// for each platform (the program, licence, notices of others, manual and completions), an
// image of Linux for each of its processors, what the program is made of as an SBOM, the
// notes of the release, and the checksums of all of it.
func (r *release) dist(dir string, platforms []string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if there, err := os.ReadDir(dir); err != nil || len(there) > 0 {
		return errors.Join(err, fmt.Errorf("%s is not empty", dir))
	}
	work, err := os.MkdirTemp("", "dist")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	built, err := r.build(work, platforms)
	if err != nil {
		return err
	}
	shared, err := r.companions(work, built[0])
	if err != nil {
		return err
	}
	for i, platform := range platforms {
		if err := archive(dir, r.name(platform), append([]string{built[i]}, shared...)); err != nil {
			return err
		}
		if strings.HasPrefix(platform, "linux/") {
			if err := r.image(dir, platform, built[i], shared); err != nil {
				return err
			}
		}
	}
	if err := r.sbom(dir, built[0]); err != nil {
		return err
	}
	if err := r.notes(dir); err != nil {
		return err
	}
	return checksums(dir)
}

// name is what the files of a platform are called.
func (r *release) name(platform string) string {
	return program + "_" + strings.TrimPrefix(r.version, "v") + "_" + strings.ReplaceAll(platform, "/", "_")
}

// build makes the program for each platform, in their order.
func (r *release) build(work string, platforms []string) ([]string, error) {
	var built []string
	for _, platform := range platforms {
		system, processor, _ := strings.Cut(platform, "/")
		file := filepath.Join(work, system+"_"+processor, program)
		if system == "windows" {
			file += ".exe"
		}
		env := []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + processor, "GOFLAGS=-trimpath -buildvcs=true"}
		if _, err := r.output(r.root, env, "go", "build", "-ldflags=-s -w", "-o", file, programPath); err != nil {
			return nil, err
		}
		// The go command takes the version from the tag of a commit without changes.
		info, err := buildinfo.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if info.Main.Version != r.version {
			return nil, fmt.Errorf("the program says %s: HEAD has no tag %s, or there are changes", info.Main.Version,
				r.version)
		}
		built = append(built, file)
	}
	return built, nil
}

// companions are the files that go with the program on every platform.
func (r *release) companions(work, built string) ([]string, error) {
	notices := filepath.Join(work, "NOTICES.txt")
	if err := r.noticesOf(built, notices); err != nil {
		return nil, err
	}
	files := []string{filepath.Join(r.root, "LICENSE"), filepath.Join(r.root, "README.md"), notices}
	for _, doc := range []struct {
		name string
		args []string
	}{
		{program + ".1", []string{"man"}},
		{program + ".bash", []string{"completion", "bash"}},
		{program + ".zsh", []string{"completion", "zsh"}},
		{program + ".fish", []string{"completion", "fish"}},
	} {
		text, err := r.output(r.root, nil, "go", append([]string{"run", programPath}, doc.args...)...)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(work, doc.name)
		if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// noticesOf writes the licences of the modules that a program is built of, those of Go
// included.
func (r *release) noticesOf(built, file string) error {
	info, err := buildinfo.ReadFile(built)
	if err != nil {
		return err
	}
	goroot, err := r.output(r.root, nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	out := new(strings.Builder)
	if err := notice(out, "Go "+info.GoVersion, goroot); err != nil {
		return err
	}
	for _, dep := range info.Deps {
		dir, err := r.output(r.root, nil, "go", "list", "-m", "-f", "{{.Dir}}", dep.Path)
		if err != nil {
			return err
		}
		if err := notice(out, dep.Path+" "+dep.Version, dir); err != nil {
			return err
		}
	}
	return os.WriteFile(file, []byte(out.String()), 0o644)
}

// notice adds the licence that lies in a folder. A module without one cannot be passed on.
func notice(out *strings.Builder, title, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"},
			func(word string) bool {
				return strings.HasPrefix(upper, word)
			}) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(out, "%s (%s)\n%s\n\n%s\n\n\n", title, e.Name(), strings.Repeat("-", len(title)+len(e.Name())+3),
			strings.TrimSpace(string(text)))
	}
	if !found {
		return fmt.Errorf("%s has no licence in %s", title, dir)
	}
	return nil
}

// notes writes what CHANGELOG.md says of the version.
func (r *release) notes(dir string) error {
	data, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	text, _ := section(string(data), strings.TrimPrefix(r.version, "v"))
	return os.WriteFile(filepath.Join(dir, "NOTES.md"), []byte(text+"\n"), 0o644)
}

// archive packs files into one, as people of the platform expect it.
func archive(dir, name string, files []string) error {
	if strings.Contains(name, "_windows_") {
		return pack(filepath.Join(dir, name+".zip"), func(w io.Writer) error { return zipped(w, files) })
	}
	return pack(filepath.Join(dir, name+".tar.gz"), func(w io.Writer) error { return tarred(w, files) })
}

func pack(file string, write func(io.Writer) error) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func zipped(w io.Writer, files []string) error {
	z := zip.NewWriter(w)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		entry, err := z.Create(filepath.Base(file))
		if err != nil {
			return err
		}
		if _, err := entry.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

func tarred(w io.Writer, files []string) error {
	compressed := gzip.NewWriter(w)
	if err := layer(compressed, files); err != nil {
		return err
	}
	return compressed.Close()
}

// layer writes files into an archive. Their owner is root and they have no
// date, so that the same files give the same archive.
func layer(w io.Writer, files []string) error {
	t := tar.NewWriter(w)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		mode := int64(0o644)
		if filepath.Base(file) == program {
			mode = 0o755
		}
		header := &tar.Header{Name: filepath.Base(file), Mode: mode, Size: int64(len(data)), Format: tar.FormatPAX}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	return t.Close()
}

// checksums writes the SHA-256 of every file of a folder, as sha256sum -c reads it.
func checksums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
