// Package clients holds the platform to programs that people write for it: each is run against
// the handler, as a program of others mounts it, and against the process that people install,
// and compares each answer with what it has sent.
//
//   - journey is written by hand, in the words of a deployment.
//   - follow is written over a Go client that is generated from the OpenAPI document.
//   - ts has the same in TypeScript, which .ci/run contract builds.
//
// They sign in by OpenID Connect (package signin), upload files in blocks (package blocks) and
// receive events (package inbox).
package clients
