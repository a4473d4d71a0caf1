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
func (c *config) read() error {
	return cmp.Or(
		readFile("tokens", c.tokens, &c.callers, from(platform.ReadCallers)),
		readFile("seed", c.seed, &c.world, from(platform.ReadWorld)),
		readFile("webhook-ca", c.caFile, &c.hooks.RootCAs, webhooks.ParseRootCAs),
		readFile("vocabulary", c.wordsFile, &c.words, from(httpapi.ParseVocabulary)),
		readFile("file-key", c.fileKeyFile, &c.fileKey, filestore.ParseKey),
		readFile("webhook-key", c.keyFile, &c.hooks.SealingKey, webhooks.ParseSealingKey),
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
