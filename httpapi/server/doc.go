// Package server is the program twinplatform as a package: the twin platform over HTTP, its
// options, store, probes, metrics, TLS and reload, and the commands.
package server
