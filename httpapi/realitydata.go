package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

const (
	allRealityData  = "/reality-management/reality-data"
	eachRealityData = allRealityData + "/{realityDataId}"
)

func realityDataArea(svc *realitydata.Service) area {
	return area{
		name:   "reality data",
		served: svc != nil,
		scopes: []string{twinplatform.ScopePlatform},
		read:   realitydata.PermissionUse,
		modify: realitydata.PermissionManage,
		bad:    realitydata.InvalidRequest,
		rows:   realityDataRows(svc),
	}
}

func realityDataRows(svc *realitydata.Service) []*row {
	byTwin := Parameter{Name: "twinId", Description: "A twin that the data are associated with."}
	access := func(o Operation, call func(ctx context.Context, id, twinID string) (realitydata.Access, error)) *row {
		o.Method, o.Addition, o.Query = http.MethodGet, true, []Parameter{byTwin}
		return answer(o, http.StatusOK, decodeNothing, func(ctx context.Context, x *exchange, _ nothing) (accessAnswer, error) {
			a, err := call(ctx, x.path("realityDataId"), x.query("twinId"))
			out := accessAnswer{Type: a.Type, Access: a.Access}
			out.Links.ContainerURL.Href = x.rooted(a.URL)
			return out, err
		})
	}
	tie := func(o Operation, call func(ctx context.Context, id, twinID string) error) *row {
		o.Addition = true
		return discard(o, func(ctx context.Context, x *exchange) error {
			return call(ctx, x.path("realityDataId"), x.path("twinId"))
		})
	}
	rows := []*row{
		create(Operation{
			ID: "R1", Method: http.MethodPost, Path: allRealityData, Summary: "Create reality data", Permission: realitydata.PermissionCreate,
		}, "realityData", func(d realitydata.RealityData) string { return d.ID },
			func(ctx context.Context, _ *exchange, n realitydata.NewRealityData) (twinplatform.Result[realitydata.RealityData], error) {
				return svc.CreateRealityData(ctx, n)
			}),
		realityDataList(svc),
		get(Operation{
			ID: "realityData.get", Method: http.MethodGet, Path: eachRealityData, Summary: "Get reality data", Addition: true, Query: []Parameter{byTwin},
		}, "realityData", func(ctx context.Context, x *exchange) (twinplatform.Record[realitydata.RealityData], error) {
			return svc.RealityData(ctx, x.path("realityDataId"), x.query("twinId"))
		}),
		change(Operation{ID: "realityData.update", Method: http.MethodPatch, Path: eachRealityData, Summary: "Update reality data", Addition: true}, "realityData",
			func(ctx context.Context, x *exchange, p realitydata.RealityDataPatch) (twinplatform.Result[realitydata.RealityData], error) {
				return svc.UpdateRealityData(ctx, x.path("realityDataId"), p, x.ifMatch())
			}),
		discard(Operation{ID: "realityData.delete", Method: http.MethodDelete, Path: eachRealityData, Summary: "Delete reality data", Addition: true},
			func(ctx context.Context, x *exchange) error {
				return svc.DeleteRealityData(ctx, x.path("realityDataId"))
			}),
		access(Operation{ID: "realityData.readAccess", Path: eachRealityData + "/readaccess", Summary: "Get an address to read the bytes at"}, svc.ReadAccess),
		access(Operation{
			ID: "realityData.writeAccess", Path: eachRealityData + "/writeaccess", Summary: "Get an address to write the bytes to", Permission: realitydata.PermissionManage,
		}, svc.WriteAccess),
		answer(Operation{ID: "realityData.twins", Method: http.MethodGet, Path: eachRealityData + "/twins", Summary: "List the twins of reality data", Addition: true},
			http.StatusOK, decodeNothing, func(ctx context.Context, x *exchange, _ nothing) (out twinsAnswer, err error) {
				out.Twins, err = svc.Twins(ctx, x.path("realityDataId"))
				if out.Twins == nil {
					out.Twins = []string{}
				}
				return out, err
			}),
		tie(Operation{ID: "realityData.associate", Method: http.MethodPost, Path: eachRealityData + "/twins/{twinId}", Summary: "Associate reality data with a twin"}, svc.Associate),
		tie(Operation{ID: "realityData.dissociate", Method: http.MethodDelete, Path: eachRealityData + "/twins/{twinId}", Summary: "Dissociate reality data from a twin"}, svc.Dissociate),
		order(Operation{ID: "realityData.move", Method: http.MethodPatch, Path: eachRealityData + "/move", Summary: "Move reality data to another twin", Addition: true},
			func(ctx context.Context, x *exchange, m moveBody) error {
				return svc.Move(ctx, x.path("realityDataId"), m.TwinID)
			}),
	}
	refuseMisspelt(rows)
	return rows
}

// refuseMisspelt makes rows that change something refuse properties that they do not
// know: what was to be taken away must not stay because it was misspelt.
func refuseMisspelt(rows []*row) {
	for _, r := range rows {
		if r.Method == http.MethodPatch {
			r.strict, r.strictCode = true, "InvalidValue"
		}
	}
}

type accessAnswer struct {
	Type   string `json:"type"`
	Access string `json:"access"`
	Links  struct {
		ContainerURL href `json:"containerUrl"`
	} `json:"_links"`
}

type twinsAnswer struct {
	Twins []string `json:"twins"`
}

type moveBody struct {
	TwinID string `json:"twinId"`
}

// realityDataList differs from other lists in its last page: clients of this
// list take a page without links for the last, and refuse one whose next link
// is null.
func realityDataList(svc *realitydata.Service) *row {
	p := paging{continuation: "continuationToken", noDelta: true}.withDefaults()
	o := Operation{
		ID: "realityData.list", Method: http.MethodGet, Path: allRealityData, Summary: "List reality data", Addition: true, Prefers: true,
		Query: append(p.parameters(),
			Parameter{Name: "twinId", Description: "List what is associated with this twin."},
			Parameter{Name: "$orderBy", Description: "A property to order by, and desc behind it for the other direction."},
			Parameter{Name: "$search", Description: "Text that the name, a description or a tag contains, in any case."},
			Parameter{Name: "types", several: true, Description: "The types to list, separated by commas."},
			Parameter{Name: "extent", Description: "west,south,east,north in degrees: list what overlaps it."},
			Parameter{Name: "acquisitionDateTime", Description: "start/end: list what was acquired then."},
			Parameter{Name: "createdDateTime", Description: "start/end: list what was created then."},
			Parameter{Name: "modifiedDateTime", Description: "start/end: list what was modified then."},
			Parameter{Name: "lastAccessedDateTime", Description: "start/end: list what was last accessed then."},
			Parameter{Name: "ownerId", Description: "List what this owner has."},
			Parameter{Name: "dataCenter", Description: "List what is stored there."},
			Parameter{Name: "tag", Description: "List what has this tag."}),
	}
	r := op(o, func(x *exchange) (twinplatform.ListOptions, error) { return x.listOptions(p) },
		func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[realitydata.RealityData], error) {
			return svc.RealityDataList(ctx, realitydata.RealityDataQuery{
				ListOptions: o, TwinID: x.query("twinId"), OrderBy: x.query("$orderBy"), Search: x.query("$search"), Types: x.ids("types"),
				Extent: x.query("extent"), AcquisitionDateTime: x.query("acquisitionDateTime"), CreatedDateTime: x.query("createdDateTime"),
				ModifiedDateTime: x.query("modifiedDateTime"), LastAccessedDateTime: x.query("lastAccessedDateTime"),
				OwnerID: x.query("ownerId"), DataCenter: x.query("dataCenter"), Tag: x.query("tag"), Minimal: !x.wantsAll(),
			})
		},
		func(x *exchange, page twinplatform.Page[realitydata.RealityData]) error {
			x.w.Header().Set("ETag", page.ETag)
			if page.NotModified {
				return x.sendNothing(http.StatusNotModified)
			}
			end := []byte("]}")
			if page.Next != "" {
				x.w.Header().Set("Continuation-Token", page.Next)
				end = wire.AppendString([]byte(`],"_links":{"next":{"href":`), string(x.next(nil, p, page.Next)))
				end = append(end, "}}}"...)
			}
			return x.sendJoined([]byte(`{"realityData":[`), page.JSON(), end)
		})
	r.replies = []reply{{status: http.StatusOK, headers: []string{"Continuation-Token", "ETag"}, schema: func(s *schemas) map[string]any {
		return s.page("realityData", reflect.TypeFor[realitydata.RealityData]())
	}}, {status: http.StatusNotModified}}
	return r
}
