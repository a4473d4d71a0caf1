package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// unprivileged is the user that the program runs as in an image, by number, since an empty image
// has no names of users.
const unprivileged = "65532:65532"

// authorities are where systems keep the certificates by which webhooks' endpoints are known.
var authorities = []string{
	"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/cert.pem",
}

// image writes an image with the program alone, onto nothing, as docker load reads it.
func (r *release) image(dir, platform, built string, shared []string) error {
	files := []string{built}
	for _, file := range shared {
		if base := filepath.Base(file); base == "LICENSE" || base == "NOTICES.txt" {
			files = append(files, file)
		}
	}
	content, err := rootFiles(files)
	if err != nil {
		return err
	}
	layers, err := tarball.LayerFromOpener(func() (io.ReadCloser,
		error,
	) {
		return io.NopCloser(bytes.NewReader(content)), nil
	})
	if err != nil {
		return err
	}
	img, err := mutate.AppendLayers(empty.Image, layers)
	if err != nil {
		return err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return err
	}
	config.OS, config.Architecture, _ = strings.Cut(platform, "/")
	config.Config = v1.Config{
		Entrypoint: []string{"/" + program}, User: unprivileged, WorkingDir: "/data", StopSignal: "SIGTERM",
		Env:          []string{"TWIN_ADDR=:4790", "TWIN_BANNER=true", "TWIN_LOG=json", "TWIN_DB=/data/twin.db"},
		ExposedPorts: map[string]struct{}{"4790/tcp": {}},
		Volumes:      map[string]struct{}{"/data": {}},
		Healthcheck:  &v1.HealthConfig{Test: []string{"CMD", "/" + program, "health"}},
		Labels: map[string]string{
			"org.opencontainers.image.version":  r.version,
			"org.opencontainers.image.licenses": "MIT",
		},
	}
	if img, err = mutate.ConfigFile(img, config); err != nil {
		return err
	}
	tag, err := name.NewTag(program + ":" + strings.TrimPrefix(r.version, "v"))
	if err != nil {
		return err
	}
	return tarball.WriteToFile(filepath.Join(dir, r.name(platform)+"_image.tar"), tag, img)
}

// rootFiles are all files of an image: the program, its additional files, a folder for
// data that its user may write, one for temporary files, and the certificates of
// authorities.
func rootFiles(files []string) ([]byte, error) {
	var out bytes.Buffer
	t := tar.NewWriter(&out)
	for _, dir := range []tar.Header{
		{Name: "data/", Mode: 0o700, Uid: 65532, Gid: 65532},
		{Name: "tmp/", Mode: 0o1777},
		{Name: "etc/ssl/certs/", Mode: 0o755},
	} {
		dir.Typeflag = tar.TypeDir
		if err := t.WriteHeader(&dir); err != nil {
			return nil, err
		}
	}
	certificates, err := firstOf(authorities)
	if err != nil {
		return nil, err
	}
	header := &tar.Header{Name: "etc/ssl/certs/ca-certificates.crt", Mode: 0o644, Size: int64(len(certificates))}
	if err := t.WriteHeader(header); err != nil {
		return nil, err
	}
	if _, err := t.Write(certificates); err != nil {
		return nil, err
	}
	if err := t.Flush(); err != nil {
		return nil, err
	}
	if err := layer(&out, files); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// firstOf is the content of the first file that is there.
func firstOf(names []string) ([]byte, error) {
	for _, file := range names {
		data, err := os.ReadFile(file)
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, fmt.Errorf("there are no certificates of authorities in any of %s", strings.Join(names, ", "))
}
