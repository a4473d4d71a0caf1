// Package peers measures servers of the same kind compared with this one, over sockets, with
// the same data and the same mix: PocketBase, and json-server where npm is there to run it. Each
// is a process of its own, and the client is another, so that processor time is the server's alone.
//
//	go test -tags peers -run '^$' -bench . -benchtime 1x
//
// The tag keeps what PocketBase brings along out of every other build.
package peers
