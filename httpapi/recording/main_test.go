package recording_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
)

func TestMain(m *testing.M) { heapgauge.Main(m) }
