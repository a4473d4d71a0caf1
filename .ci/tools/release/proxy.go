package main

import (
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"time"

	gomodule "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// proxy writes the released modules of HEAD as a module proxy serves them, so that the go
// command reads them with GOPROXY=file://DIR.
func (r *release) proxy(dir string) error {
	for _, m := range r.released() {
		if err := r.publish(dir, m); err != nil {
			return err
		}
	}
	return nil
}

// publish writes the four files that a proxy has of a version of a module.
func (r *release) publish(dir string, m module) error {
	escaped, err := gomodule.EscapePath(m.path)
	if err != nil {
		return err
	}
	at := filepath.Join(dir, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	gomod, err := r.git("show", "HEAD:"+path.Join(m.dir, "go.mod"))
	if err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{r.version, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	for name, content := range map[string]string{
		"list": r.version + "\n", r.version + ".info": string(info), r.version + ".mod": gomod + "\n",
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	file, err := os.Create(filepath.Join(at, r.version+".zip"))
	if err != nil {
		return err
	}
	err = zip.CreateFromVCS(file, gomodule.Version{Path: m.path, Version: r.version}, r.root, "HEAD", m.dir)
	return errors.Join(err, file.Close())
}
