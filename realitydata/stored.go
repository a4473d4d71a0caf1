package realitydata

import "github.com/seed-933f9a09/twinplatform/internal/records"

// hidden is what is kept of reality data in addition to their wire form.
type hidden struct {
	TwinIDs   *[]string                `json:"twinIds"`
	AccountID *string                  `json:"accountId"`
	CopyOf    records.OmitZero[string] `json:"copyOf,omitzero"`
	Complete  records.OmitZero[bool]   `json:"complete,omitzero"`
}

func hiddenOf(d *RealityData) any {
	return &hidden{
		&d.TwinIDs, &d.AccountID,
		records.OmitZero[string]{Of: &d.copyOf},
		records.OmitZero[bool]{Of: &d.complete},
	}
}
