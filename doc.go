// Package twinplatform holds the words that every part of the twin platform
// shares: errors, pages, operations, events, principals and the surroundings
// that services are given.
//
// It is a leaf: it imports no other package of this module. The domains live in the
// folders schedules, forms, twins, webhooks, realitydata and transform, each with a
// Service over a storage.Store; package platform wires them together, and package httpapi
// serves them as the documented REST API.
package twinplatform
