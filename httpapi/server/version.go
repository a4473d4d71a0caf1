package server

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// versionCommand reports which version of the program this is.
func versionCommand() job {
	return job{examples: []usage.Example{{Call: "twinplatform version"}}, run: printVersion}
}

func printVersion(_ context.Context, _ *server, _ []string, stdout io.Writer) error {
	_, err := fmt.Fprintln(stdout, "twinplatform", admin.BuildVersion())
	return err
}
