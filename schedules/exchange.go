package schedules

import (
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// exchanges are what a service does with files of planning tools.
type exchanges struct {
	synchronizers *model.Family[Synchronizer, Synchronizer, SynchronizerPatch]
	imports       jobs.Kind[importing, struct{}]
	exports       jobs.Kind[exporting, struct{}]
	// staged is the import that was read last and is not written yet, if there is one.
	staged atomic.Pointer[importStage]
}

func exchangesOf(s *Service) *exchanges { return s.exchanges.(*exchanges) }

func defineExchanges(s *Service) *exchanges {
	return &exchanges{synchronizers: synchronizersOf(s), imports: s.defineImports(), exports: s.defineExports()}
}
