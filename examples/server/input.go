package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// input is what the files hold that the flags name.
type input struct {
	callers platform.Callers // nil without a tokens file
	world   *platform.World  // nil without a seed
	hooks   webhooks.Config
}

func (c *config) read() (in input, err error) {
	in.hooks = webhooks.Config{AllowPrivate: c.allow, PatchReplacesSecret: c.patchSecret}
	err = cmp.Or(
		readFile("tokens", c.tokens, &in.callers, from(platform.ReadCallers)),
		readFile("seed", c.seed, &in.world, from(platform.ReadWorld)),
		readFile("webhook-ca", c.caFile, &in.hooks.RootCAs, webhooks.ParseRootCAs),
		readFile("webhook-key", c.keyFile, &in.hooks.SealingKey, webhooks.ParseSealingKey),
	)
	return in, err
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

// writeWhole writes the file that a flag names. It appears with all of it or not at
// all.
func writeWhole(flag, file string, mode os.FileMode, write func(io.Writer) error) error {
	part, err := os.OpenFile(file+".part", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err == nil {
		if err = errors.Join(write(part), part.Sync(), part.Close()); err == nil {
			err = os.Rename(part.Name(), file)
		}
		if err != nil {
			err = errors.Join(err, os.Remove(part.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("-%s: %w", flag, err)
	}
	return nil
}
