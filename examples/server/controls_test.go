package main

import "testing"

func TestControlsAreServedToTestsAlone(t *testing.T) {
	t.Parallel()
	const fault, minute = `{"op": "twins.list", "status": 429, "retryAfter": "1m"}`, `{"advance": "1m"}`
	tests := start(t, "-test-controls")
	tests.call("POST", "/_test/faults", fault, 204)
	tests.call("GET", "/twins", "", 429)
	tests.call("POST", "/_test/clock", minute, 200)
	tests.call("GET", "/twins", "", 200)
	others := start(t)
	others.call("POST", "/_test/faults", fault, 404)
	others.call("GET", "/twins", "", 200)
}
