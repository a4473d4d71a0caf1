// Package server is the program twinplatform as a package: the twin platform over HTTP with
// all that one runs it with (options, store, probes, metrics, TLS, reload), and its commands.
package server
