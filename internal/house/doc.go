// Package house holds the repository itself to its rules: what imports what, how large packages are, which
// words comments and pages use, which modules are required, what pages list, and what it takes to add a
// member, a type of record or a command (walks_test.go). Its tests run in the folder of the repository.
//
// The program internal/house/count counts what the tests bound.
package house
