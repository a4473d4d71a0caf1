// Package clients holds the platform to programs that people write for it: each is run against
// the handler, as a program of others mounts it, and against the process that people install,
// and compares each answer with what it has sent.
//
//   - journey is written by hand, in the words of a deployment.
//   - gardener is written over a Go client that is generated from the OpenAPI document of that
//     deployment, and follow over one of that in the words of the specification.
//   - pagers read collections in each way in which the API gives them by pages: links, tokens in
//     headers and in links, numbers to skip, links back, deltas, and markers of files.
//   - ts has programs in TypeScript: follow and upload in the words of the specification, and
//     garden, which does what gardener does. They need Node and packages of npm, which
//     .ci/run contract gets.
//
// A page that does the same in a browser is in internal/browser.
//
// They sign in by OpenID Connect (package signin), upload files in blocks (package blocks) and
// receive events (package inbox).
package clients
