package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
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
		maxTop: realitydata.MaxTop,
		rows:   func() rows { return realityDataRows(svc) },
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

func realityDataRows(svc *realitydata.Service) rows {
	n := &noun{path: allRealityData, many: "realityData", one: "realityData", things: "reality data", thing: "reality data"}
	at := func(verb, method, path, summary string) Operation {
		return n.operation(verb, method, eachRealityData+path, summary)
	}
	byTwin := []Parameter{{Name: "twinId", Description: "A twin that the data are associated with."}}
	access := func(o Operation, call func(ctx context.Context, id, twinID string) (realitydata.Access, error)) *row {
		o.Query = byTwin
		return answer(o, http.StatusOK, func(ctx context.Context, x *exchange, _ nothing) (accessAnswer, error) {
			a, err := call(ctx, x.path("realityDataId"), x.query("twinId"))
			out := accessAnswer{Type: a.Type, Access: a.Access}
			out.Links.ContainerURL.Href = x.resolve(a.URL)
			return out, err
		})
	}
	gets := n.gets()
	gets.Query = byTwin
	rs := rows{
		create(n, svc.CreateRealityData).spec("R1").needs(realitydata.PermissionCreate),
		realityDataList(n, svc),
		getRow(gets, n.one, reflect.TypeFor[realitydata.RealityData](), func(ctx context.Context, x *exchange) (record, error) {
			rec, err := svc.RealityData(ctx, x.nth(0), x.query("twinId"))
			return recordOf(x, &rec, err)
		}),
		update(n, svc.UpdateRealityData).drifting("lastAccessedDateTime"),
		discard(n, svc.DeleteRealityData),
		access(at("readAccess", http.MethodGet, "/readaccess", "Get an address to read the bytes at"), svc.ReadAccess),
		access(at("writeAccess", http.MethodGet, "/writeaccess", "Get an address to write the bytes to"), svc.WriteAccess).needs(realitydata.PermissionManage),
		answer(at("twins", http.MethodGet, "/twins", "List the twins of reality data"), http.StatusOK,
			func(ctx context.Context, x *exchange, _ nothing) (twinsAnswer, error) {
				ids, err := svc.Twins(ctx, x.path("realityDataId"))
				return twinsAnswer{append([]string{}, ids...)}, err
			}),
		discardIn(n, svc.Associate).as(at("associate", http.MethodPost, "/twins/{twinId}", "Associate reality data with a twin")).succeeding(http.StatusOK).onRecord(),
		discardIn(n, svc.Dissociate).as(at("dissociate", http.MethodDelete, "/twins/{twinId}", "Dissociate reality data from a twin")),
		command(at("move", http.MethodPatch, "/move", "Move reality data to another twin"),
			func(ctx context.Context, x *exchange, m moveBody) error {
				return svc.Move(ctx, x.path("realityDataId"), m.TwinID, x.preconditions()...)
			}),
	}
	return rs.refuseMisspelt()
}

func realityDataList(n *noun, svc *realitydata.Service) *row {
	type query = realitydata.RealityDataQuery
	return list(n, paging{continuation: "continuationToken", noDelta: true, bare: true}, svc.RealityDataList,
		text("twinId", "List what is associated with this twin.", func(q *query) *string { return &q.TwinID }),
		text("$orderBy", "A property to order by, and desc behind it for the other direction.", func(q *query) *string { return &q.OrderBy }),
		text("$search", "Text that the name, a description or a tag contains, in any case.", func(q *query) *string { return &q.Search }),
		texts("types", "The types to list, separated by commas.", func(q *query) *[]string { return &q.Types }).repeated(),
		text("extent", "west,south,east,north in degrees: list what overlaps it.", func(q *query) *string { return &q.Extent }),
		text("acquisitionDateTime", "start/end: list what was acquired then.", func(q *query) *string { return &q.AcquisitionDateTime }),
		text("createdDateTime", "start/end: list what was created then.", func(q *query) *string { return &q.CreatedDateTime }),
		text("modifiedDateTime", "start/end: list what was modified then.", func(q *query) *string { return &q.ModifiedDateTime }),
		text("lastAccessedDateTime", "start/end: list what was last accessed then.", func(q *query) *string { return &q.LastAccessedDateTime }),
		text("ownerId", "List what this owner has.", func(q *query) *string { return &q.OwnerID }),
		text("dataCenter", "List what is stored there.", func(q *query) *string { return &q.DataCenter }),
		text("tag", "List what has this tag.", func(q *query) *string { return &q.Tag }),
		short(func(q *query) *bool { return &q.Minimal })).shortly(reflect.TypeFor[realitydata.Summary]())
}
