// Package httpapitest is the platform in a test: the whole REST API in one line,
// without a socket, a download or a goroutine.
//
//	func TestClient(t *testing.T) {
//		t.Parallel()
//		tw := httpapitest.New(t)
//		c := client.New(tw.URL, tw.Client())
//		if _, err := c.Schedules(t.Context()); err != nil {
//			t.Fatal(err)
//		}
//	}
//
// The test is the world around its client. It moves the clock (Advance), lets calls fail on cue
// (Faults) and operations wait or fail (Operations), receives and checks events (Webhooks), looks
// at what was called (Journal), keeps a state and comes back to it (Snapshot, Restore), and gives
// each parallel subtest its own world (Fork). For clients in other languages Listen opens a port,
// and WithControls serves the rest below control.Prefix.
//
// [Conformance] holds any server to the documented behaviour, and [Replay] a harness to what was
// recorded of a deployment.
package httpapitest
