package server

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// read reads the files that the flags name.
func (c *Config) read() error {
	return cmp.Or(
		readFile("tokens", c.TokensFile, &c.Callers, from(platform.ReadCallers)),
		readFile("seed", c.SeedFile, &c.World, from(platform.ReadWorld)),
		readFile("webhook-ca", c.WebhookCAFile, &c.Webhooks.RootCAs, webhooks.ParseRootCAs),
		readFile("vocabulary", c.VocabularyFile, &c.Vocabulary, from(httpapi.ParseVocabulary)),
		readFile("file-key", c.FileKeyFile, &c.FileKey, filestore.ParseKey),
		readFile("webhook-key", c.WebhookKeyFile, &c.Webhooks.SealingKey, webhooks.ParseSealingKey),
	)
}

// readFile reads the file that a flag names, if it names one.
func readFile[T any](flag, file string, to *T, parse func([]byte) (T, error)) error {
	if file == "" {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("-%s: %w", flag, err)
	}
	if *to, err = parse(data); err != nil {
		return fmt.Errorf("-%s: %s: %w", flag, file, err)
	}
	return nil
}

func from[T any](read func(io.Reader) (T, error)) func([]byte) (T, error) {
	return func(b []byte) (T, error) { return read(bytes.NewReader(b)) }
}
