// Package peers measures servers of the same kind compared with this one, over sockets, with
// the same data and the same mix: PocketBase in this process, and json-server where npm
// is there to run it.
//
//	go test -tags peers -run '^$' -bench . -benchtime 1x
//
// The tag keeps what PocketBase brings along out of every other build.
package peers
