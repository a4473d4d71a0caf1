// Package recording is the way from a deployment of the platform to this emulator and back.
//
// A [Recorder] is in front of a deployment, hands its traffic on, and makes of what it has seen
// a folder: conversations, a seed of the world in which they were held, and the draft of a
// vocabulary. Secrets and the names of people are not written. [Play] holds conversations with
// two servers, or with one and what was recorded, and says how they differ, by operation and
// member.
//
// The commands record and compare of the program twinplatform, and httpapitest.Replay, are made
// of it.
package recording
