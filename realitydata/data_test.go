package realitydata_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

var ignoreCopy = cmpopts.IgnoreUnexported(realitydata.RealityData{})

func whole() realitydata.NewRealityData {
	return realitydata.NewRealityData{
		TwinID: "bridge", DisplayName: "Deck, south side", Type: "RealityMesh3DTiles", Classification: realitydata.Modelled,
		Description: "First line\n\tsecond line", Dataset: "2026", Group: "drone", Attribution: "see https://example.com",
		TermsOfUse: "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/", RootDocument: "mesh/root.json",
		Tags:        []string{"Bridge", "ÜBER"},
		Acquisition: &realitydata.Acquisition{Acquirer: "Ann", StartDateTime: twinplatform.At(noon.Add(-time.Hour)), EndDateTime: twinplatform.At(noon)},
		Extent:      &realitydata.Extent{SouthWest: &realitydata.Coordinate{Latitude: new(-90.0), Longitude: new(-180.0)}, NorthEast: &realitydata.Coordinate{Latitude: new(90.0), Longitude: new(180.0)}},
		CRS:         &realitydata.CRS{ID: "EPSG:4326", VerticalID: "EPSG:5773"}, Authoring: true, OwnerID: "ann",
	}
}

// covers: Reality data
func TestRecordHasEveryPropertyOfItsRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	got := w.create(whole())
	n := whole()
	want := realitydata.RealityData{
		ID: got.ID, DisplayName: n.DisplayName, Type: n.Type, Classification: "Model", Description: n.Description,
		Dataset: n.Dataset, Group: n.Group, Attribution: n.Attribution, TermsOfUse: n.TermsOfUse, RootDocument: n.RootDocument,
		Tags: []string{"bridge", "über"}, Acquisition: n.Acquisition, Extent: n.Extent, CRS: n.CRS, Authoring: true, OwnerID: "ann",
		DataCenterLocation: "East US", CreatedDateTime: twinplatform.At(noon), ModifiedDateTime: twinplatform.At(noon),
		LastAccessedDateTime: twinplatform.At(noon), TwinIDs: []string{"bridge"}, AccountID: "acme",
	}
	if diff := cmp.Diff(want, got, ignoreCopy); diff != "" {
		t.Error(diff)
	}
	if len(got.ID) != 36 || strings.Count(got.ID, "-") != 4 {
		t.Errorf("the id %q is no GUID", got.ID)
	}
	for _, twinID := range []string{"", "bridge"} {
		read, err := w.RealityData(t.Context(), got.ID, twinID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, read.Value, ignoreCopy); diff != "" {
			t.Error(diff)
		}
	}
}

// covers: Reality data
func TestWireNamesAreTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.create(realitydata.NewRealityData{})
	page, err := w.RealityDataList(t.Context(), realitydata.RealityDataQuery{TwinID: "bridge"})
	if err != nil || page.Len() != 1 {
		t.Fatal(page.Len(), err)
	}
	got := string(page.JSON()[0])
	got = got[:strings.Index(got, `"id":"`)+6] + "ID" + got[strings.Index(got, `"id":"`)+6+36:]
	want := `{"authoring":false,"classification":"Undefined","createdDateTime":"2026-05-04T12:00:00Z",` +
		`"dataCenterLocation":"East US","displayName":"Scan","id":"ID","lastAccessedDateTime":"2026-05-04T12:00:00Z",` +
		`"modifiedDateTime":"2026-05-04T12:00:00Z","size":0,"tags":[],"type":"LAS"}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// covers: R1 as requested: rule ownerId is the caller when not given
func TestOwnerIsTheCallerWhereNoneIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	ann := w.as("ann", "realitydata_create", "bridge")
	res, err := w.CreateRealityData(ann, realitydata.NewRealityData{TwinID: "bridge", DisplayName: "x", Type: "LAS"})
	if err != nil || res.Value().OwnerID != "ann" {
		t.Errorf("got %+v, %v", res.Value(), err)
	}
}

// covers: R1 as requested: rule type is free, registered names are reserved
// covers: Errors and permissions of R1: error InvalidRealityDataRequest
// covers: Errors and permissions of R1: error InvalidValue
// covers: R1 as requested
// covers: Limits of reality data
func TestWrongPropertiesAreRefusedTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	at := func(lat, long float64) *realitydata.Coordinate {
		return &realitydata.Coordinate{Latitude: &lat, Longitude: &long}
	}
	bad := func(targets ...string) []string {
		out := []string{"InvalidRealityDataRequest"}
		for _, target := range targets {
			out = append(out, "InvalidValue "+target)
		}
		return out
	}
	tags := func(n int) (out []string) {
		for range n {
			out = append(out, "t")
		}
		return out
	}
	type change = func(*realitydata.NewRealityData)
	for name, test := range map[string]struct {
		change change
		want   []string
	}{
		"nothing": {func(n *realitydata.NewRealityData) { *n = realitydata.NewRealityData{} }, []string{
			"InvalidRealityDataRequest", "MissingRequiredProperty twinId", "MissingRequiredProperty displayName", "MissingRequiredProperty type",
		}},
		"five at once": {func(n *realitydata.NewRealityData) {
			n.DisplayName, n.Type, n.Classification, n.Tags = "www.x", "las", "Photo", []string{"a/b"}
			n.Extent.NorthEast.Longitude = new(181.0)
		}, bad("displayName", "type", "classification", "tags", "extent.northEast.longitude")},
		"latitude":              {func(n *realitydata.NewRealityData) { n.Extent.SouthWest = at(-90.01, 0) }, bad("extent.southWest.latitude")},
		"latitude not a number": {func(n *realitydata.NewRealityData) { n.Extent.NorthEast = at(math.NaN(), 0) }, bad("extent.northEast.latitude")},
		"corners swapped": {func(n *realitydata.NewRealityData) {
			n.Extent = &realitydata.Extent{SouthWest: at(1, 0), NorthEast: at(0, 0)}
		}, bad("extent.northEast.latitude")},
		"half a coordinate": {func(n *realitydata.NewRealityData) { n.Extent.SouthWest = &realitydata.Coordinate{Latitude: new(1.0)} }, []string{
			"InvalidRealityDataRequest", "MissingRequiredProperty extent.southWest.longitude",
		}},
		"half an extent": {func(n *realitydata.NewRealityData) { n.Extent.SouthWest = nil }, []string{"InvalidRealityDataRequest", "MissingRequiredProperty extent.southWest"}},
		"crs without id": {func(n *realitydata.NewRealityData) { n.CRS.ID = "" }, []string{"InvalidRealityDataRequest", "MissingRequiredProperty crs.id"}},
		"end before start": {func(n *realitydata.NewRealityData) {
			n.Acquisition.EndDateTime = twinplatform.At(noon.AddDate(-1, 0, 0))
		}, bad("acquisition.endDateTime")},
		"16 tags":              {func(n *realitydata.NewRealityData) { n.Tags = tags(16) }, bad("tags")},
		"15 tags":              {func(n *realitydata.NewRealityData) { n.Tags = tags(15) }, nil},
		"tag of 61":            {func(n *realitydata.NewRealityData) { n.Tags = []string{strings.Repeat("é", 61)} }, bad("tags")},
		"tag of 60":            {func(n *realitydata.NewRealityData) { n.Tags = []string{strings.Repeat("é", 60)} }, nil},
		"empty tag":            {func(n *realitydata.NewRealityData) { n.Tags = []string{" "} }, bad("tags")},
		"name of 256":          {func(n *realitydata.NewRealityData) { n.DisplayName = strings.Repeat("x", 256) }, bad("displayName")},
		"name of 255":          {func(n *realitydata.NewRealityData) { n.DisplayName = strings.Repeat("x", 255) }, nil},
		"free type":            {func(n *realitydata.NewRealityData) { n.Type = "My format 7" }, nil},
		"line break in a name": {func(n *realitydata.NewRealityData) { n.DisplayName = "a\nb" }, bad("displayName")},
		"NUL in a description": {func(n *realitydata.NewRealityData) { n.Description = "a\x00b" }, bad("description")},
		"right-to-left mark":   {func(n *realitydata.NewRealityData) { n.Group = "a\u202eb" }, bad("group")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := whole()
			test.change(&n)
			_, err := w.CreateRealityData(t.Context(), n)
			if diff := cmp.Diff(test.want, problemtest.Brief(err)); diff != "" {
				t.Error(diff)
			}
			if err != nil && !errors.Is(err, twinplatform.Unprocessable) {
				t.Errorf("refused as %v", twinplatform.AsError(err).Kind)
			}
		})
	}
}

// covers: R1 as requested: rule type is free, registered names are reserved
// covers: Classifications and types
func TestEveryDocumentedTypeAndClassificationIsTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	documented := strings.Fields(`CCImageCollection Cesium3DTiles DAE ContextDetector ContextScene DGN E57 FBX GLB GLTF KML LAS LAZ LOD LODTree OBJ OMR OPC
		OSGB OVF OVT PLY PNTS PointCloud RealityMesh3DTiles SLPK SpaceEyes3D SuperMap S3C Terrain3DTiles TexturedTiePoints 3SM 3MX Unstructured
		Orthophoto GS_PLY GS_SPZ GS_3DT GeoJSON SHP`)
	if diff := cmp.Diff(documented, realitydata.ReservedTypes(), cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Error(diff)
	}
	for _, typ := range documented {
		if got := w.create(realitydata.NewRealityData{Type: typ}); got.Type != typ {
			t.Errorf("%s became %s", typ, got.Type)
		}
		if _, err := w.CreateRealityData(t.Context(), realitydata.NewRealityData{TwinID: "bridge", DisplayName: "x", Type: strings.ToLower(typ)}); strings.ToLower(typ) != typ && err == nil {
			t.Errorf("%s in small letters is taken", typ)
		}
	}
	for _, c := range []realitydata.Classification{"Terrain", "Imagery", "Pinned", "Model", "Undefined"} {
		if got := w.create(realitydata.NewRealityData{Classification: c}); got.Classification != c {
			t.Errorf("%s became %s", c, got.Classification)
		}
	}
}

// covers: R1 as requested: rule displayName, dataset, group, description: no control sequences
func TestControlSequencesAreRefusedAndPlainTextIsNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	try := func(text string) []bool {
		var refused []bool
		for _, n := range []realitydata.NewRealityData{
			{DisplayName: text},
			{DisplayName: "x", Dataset: twinplatform.NullString(text)},
			{DisplayName: "x", Group: twinplatform.NullString(text)},
			{DisplayName: "x", Description: twinplatform.NullString(text)},
		} {
			n.TwinID, n.Type = "bridge", "LAS"
			_, err := w.CreateRealityData(t.Context(), n)
			refused = append(refused, err != nil)
		}
		return refused
	}
	for _, text := range []string{
		"https://example.com", "see ftp://x", "HTTP://X", "javascript:alert(1)", "data:text/html,x", "mailto:a@b", "www.example.com",
		"<script>", "</b>", "<!-- x -->", "<?php", "<% x %>", "${x}", "{{x}}", "{% x %}", "#{x}", "`ls`",
	} {
		if got := try(text); slices.Contains(got, false) {
			t.Errorf("%q is refused as %v", text, got)
		}
	}
	for _, text := range []string{
		"Bridge 7: north < south & 3 > 2", "a < b", "50 % (est.)", "O'Brien \"x\"", "日本 – ü", "$5 {x} #7", "ratio 3:4", "data: none", "/a/b\\c", "1;2",
	} {
		if got := try(text); slices.Contains(got, true) {
			t.Errorf("%q is refused as %v", text, got)
		}
	}
}

// covers: Errors and permissions of R1
// covers: Operations of reality data
// covers: operations of reality data
func TestPermissionsDecideWhoSeesChangesAndMakes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	d := w.create(realitydata.NewRealityData{OwnerID: "owner"})
	update := func(ctx context.Context) error {
		_, err := w.UpdateRealityData(ctx, d.ID, realitydata.RealityDataPatch{Group: twinplatform.Set("g")})
		return err
	}
	create := func(ctx context.Context) error {
		_, err := w.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: "bridge", DisplayName: "x", Type: "LAS"})
		return err
	}
	get := func(ctx context.Context) error {
		_, err := w.RealityData(ctx, d.ID, "")
		return err
	}
	read := func(ctx context.Context) error {
		_, err := w.ReadAccess(ctx, d.ID, "")
		return err
	}
	write := func(ctx context.Context) error {
		_, err := w.WriteAccess(ctx, d.ID, "")
		return err
	}
	const (
		yes, no, hidden = "", "InsufficientPermissions", "RealityDataNotFound"
		// Access is granted, and then there are no bytes to give.
		granted = "StorageUnavailable"
	)
	for name, test := range map[string]struct {
		ctx                              context.Context
		get, update, create, read, write string
	}{
		"system":                {t.Context(), yes, yes, yes, granted, granted},
		"administrator":         {w.admin("acme"), yes, yes, yes, granted, granted},
		"another administrator": {w.admin("other"), hidden, hidden, no, hidden, hidden},
		"stranger":              {w.as("stranger"), hidden, hidden, no, hidden, hidden},
		"user of another twin":  {w.as("far", "realitydata_manage", "road", "realitydata_create", "road"), hidden, hidden, no, hidden, hidden},
		"user":                  {w.as("user", "realitydata_use", "bridge"), yes, no, no, granted, no},
		"maker":                 {w.as("maker", "realitydata_create", "bridge"), yes, no, yes, no, no},
		"manager":               {w.as("manager", "realitydata_manage", "bridge"), yes, yes, no, granted, granted},
		"owner":                 {w.as("owner"), yes, no, no, granted, granted},
	} {
		for what, call := range map[string]struct {
			fn   func(context.Context) error
			want string
		}{"get": {get, test.get}, "update": {update, test.update}, "create": {create, test.create}, "read": {read, test.read}, "write": {write, test.write}} {
			got := ""
			if e := twinplatform.AsError(call.fn(test.ctx)); e != nil {
				got = e.Code
			}
			if got != call.want {
				t.Errorf("%s, %s: got %q, want %q", name, what, got, call.want)
			}
		}
	}
}

// covers: Errors and permissions of R1: rule a twin that is missing is refused as one that is forbidden
func TestTwinThatIsMissingIsLikeOneThatIsForbidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	n := realitydata.NewRealityData{TwinID: "none", DisplayName: "x", Type: "LAS"}
	_, missing := w.CreateRealityData(w.as("ann"), n)
	n.TwinID = "road"
	_, forbidden := w.CreateRealityData(w.as("ann"), n)
	if diff := cmp.Diff(problemtest.Brief(forbidden), problemtest.Brief(missing)); diff != "" || missing == nil {
		t.Error(missing, diff)
	}
}

// covers: R1 as requested: rule classification is optional
// covers: Limits of reality data: rule tags are brought to lower case
func TestPatchChangesWhatItNamesAndClearsWithNull(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	before := w.create(whole())
	w.now = noon.Add(time.Hour)
	res, err := w.UpdateRealityData(t.Context(), before.ID, realitydata.RealityDataPatch{
		TwinID: twinplatform.Set("bridge"), DisplayName: twinplatform.Set("New"), Description: twinplatform.Null[string](),
		Extent: twinplatform.Null[realitydata.Extent](), CRS: twinplatform.Set(realitydata.CRS{ID: "EPSG:3857"}),
		Tags: twinplatform.Set([]string{"X"}), Classification: twinplatform.Null[realitydata.Classification](), Authoring: twinplatform.Set(false),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := before
	want.DisplayName, want.Description, want.Extent, want.CRS = "New", "", nil, &realitydata.CRS{ID: "EPSG:3857"}
	want.Tags, want.Classification, want.Authoring = []string{"x"}, "Undefined", false
	want.ModifiedDateTime = twinplatform.At(w.now)
	if diff := cmp.Diff(want, res.Value(), ignoreCopy); diff != "" {
		t.Error(diff)
	}
	page, err := w.RealityDataList(t.Context(), realitydata.RealityDataQuery{TwinID: "bridge"})
	if err != nil {
		t.Fatal(err)
	}
	if values, _ := page.Values(); len(values) != 1 || values[0].DisplayName != "New" {
		t.Errorf("the twin's list has %+v", values)
	}
	for name, test := range map[string]struct {
		patch realitydata.RealityDataPatch
		want  []string
	}{
		"no name":      {realitydata.RealityDataPatch{DisplayName: twinplatform.Null[string]()}, []string{"InvalidRealityDataRequest", "MissingRequiredProperty displayName"}},
		"another twin": {realitydata.RealityDataPatch{TwinID: twinplatform.Set("road")}, []string{"InvalidRealityDataRequest", "InvalidValue twinId"}},
	} {
		_, err := w.UpdateRealityData(t.Context(), before.ID, test.patch)
		if diff := cmp.Diff(test.want, problemtest.Brief(err)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if _, err := w.UpdateRealityData(t.Context(), before.ID, realitydata.RealityDataPatch{}, twinplatform.IfMatch(`"x"`)); !errors.Is(err, twinplatform.Conflict) {
		t.Errorf("an old version: %v", err)
	}
	if _, err := w.UpdateRealityData(t.Context(), "none", realitydata.RealityDataPatch{}); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("got %v", err)
	}
}

// covers: R1 as requested: rule the record is associated with the twin
// covers: operations realityData.delete realityData.twins realityData.associate realityData.dissociate
// covers: operations realityData.move
func TestAssociationsDecideInWhichTwinsDataAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	d := w.create(realitydata.NewRealityData{})
	ctx := t.Context()
	twins := func() []string {
		got, err := w.Twins(ctx, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	in := func(twinID string) int {
		page, err := w.RealityDataList(ctx, realitydata.RealityDataQuery{TwinID: twinID})
		if err != nil {
			t.Fatal(err)
		}
		return page.Len()
	}
	for range 2 {
		if err := w.Associate(ctx, d.ID, "road"); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"bridge", "road"}, twins()); diff != "" || in("road") != 1 {
		t.Error(diff, in("road"))
	}
	for name, test := range map[string]struct {
		err  error
		want []string
	}{
		"delete while shared":      {w.DeleteRealityData(ctx, d.ID), []string{"RealityDataShared"}},
		"move while shared":        {w.Move(ctx, d.ID, "road"), []string{"RealityDataShared"}},
		"twin of another account":  {w.Associate(ctx, d.ID, "mine"), []string{"InvalidRealityDataRequest", "InvalidValue twinId"}},
		"twin that is not there":   {w.Associate(ctx, d.ID, "none"), []string{"InsufficientPermissions"}},
		"no association":           {w.Dissociate(ctx, d.ID, "none"), []string{"AssociationNotFound"}},
		"without right to add":     {w.Associate(w.as("m", "realitydata_manage", "bridge"), d.ID, "road"), []string{"InsufficientPermissions"}},
		"without right to take":    {w.Dissociate(w.as("m2", "realitydata_manage", "bridge", "realitydata_use", "road"), d.ID, "road"), []string{"InsufficientPermissions"}},
		"by a stranger":            {w.Dissociate(w.as("stranger"), d.ID, "road"), []string{"RealityDataNotFound"}},
		"data that are not there":  {w.Associate(ctx, "none", "road"), []string{"RealityDataNotFound"}},
		"move without destination": {w.Move(ctx, d.ID, ""), []string{"InvalidRealityDataRequest", "MissingRequiredProperty twinId"}},
	} {
		if diff := cmp.Diff(test.want, problemtest.Brief(test.err)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if err := w.Dissociate(ctx, d.ID, "bridge"); err != nil {
		t.Fatal(err)
	}
	if in("bridge") != 0 || in("road") != 1 {
		t.Errorf("the lists have %d and %d", in("bridge"), in("road"))
	}
	if err := w.Move(ctx, d.ID, "bridge"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"bridge"}, twins()); diff != "" || in("bridge") != 1 || in("road") != 0 {
		t.Error(diff, in("bridge"), in("road"))
	}
	if err := w.DeleteRealityData(ctx, d.ID); err != nil {
		t.Fatal(err)
	}
	if in("bridge") != 0 {
		t.Error("deleted data are listed")
	}
	if _, err := w.RealityData(ctx, d.ID, ""); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("got %v", err)
	}
}

func TestRealityDataThatAreSentBackAsTheyWereReadAreNotModified(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	w := newWorld(t, f.folder)
	res, err := w.CreateRealityData(t.Context(), realitydata.NewRealityData{
		TwinID: "bridge", DisplayName: "Deck", Type: "LAS", Tags: []string{"steel"}, Acquisition: &realitydata.Acquisition{Acquirer: "Ann"},
	})
	if err != nil {
		t.Fatal(err)
	}
	made := res.Value()
	w.now = noon.Add(time.Hour)
	for _, tt := range []struct {
		patch    realitydata.RealityDataPatch
		modified time.Time
	}{
		{realitydata.RealityDataPatch{ID: twinplatform.Set(made.ID)}, noon},
		{realitydata.RealityDataPatch{Authoring: twinplatform.Set(made.Authoring), DisplayName: twinplatform.Set("Deck"), Tags: twinplatform.Set([]string{"steel"}), Acquisition: twinplatform.Set(*made.Acquisition)}, noon},
		{realitydata.RealityDataPatch{Acquisition: twinplatform.Set(realitydata.Acquisition{Acquirer: "Bob"})}, w.now},
	} {
		res, err := w.UpdateRealityData(t.Context(), made.ID, tt.patch)
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Value().ModifiedDateTime; !got.Equal(tt.modified) {
			t.Errorf("modified %v, want %v", got, tt.modified)
		}
	}
	if _, err := w.WriteAccess(t.Context(), made.ID, "bridge"); err != nil {
		t.Errorf("nothing is written any more: %v", err)
	}
}

func TestTagsThatAreEqualInLowerCaseAreOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	d := w.create(realitydata.NewRealityData{Tags: []string{"Pier", "ÜBER", "pier", "deck", "über"}})
	if diff := cmp.Diff([]string{"pier", "über", "deck"}, d.Tags); diff != "" {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	res, err := w.UpdateRealityData(t.Context(), d.ID, realitydata.RealityDataPatch{Tags: twinplatform.Set([]string{"B", "A", "b"})})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b", "a"}, res.Value().Tags); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
}

// A Go program can send dates that no JSON can: they are refused, also within a member.
func TestDatesOfAnAcquisitionAreThoseThatTheWireHas(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	d := w.create(realitydata.NewRealityData{})
	for year, want := range map[int][]string{
		-44: {"InvalidRealityDataRequest", "InvalidValue acquisition.startDateTime"}, 0: {"InvalidRealityDataRequest", "InvalidValue acquisition.startDateTime"},
		1: nil, 9999: nil, 10000: {"InvalidRealityDataRequest", "InvalidValue acquisition.startDateTime"},
	} {
		a := realitydata.Acquisition{StartDateTime: twinplatform.At(time.Date(year, 7, 1, 0, 0, 0, 0, time.UTC))}
		_, err := w.CreateRealityData(t.Context(), realitydata.NewRealityData{TwinID: "bridge", DisplayName: "Scan", Type: "LAS", Acquisition: &a})
		if diff := cmp.Diff(want, problemtest.Brief(err)); diff != "" {
			t.Errorf("%d is made (-want +got):\n%s", year, diff)
		}
		_, err = w.UpdateRealityData(t.Context(), d.ID, realitydata.RealityDataPatch{Acquisition: twinplatform.Set(a)})
		if diff := cmp.Diff(want, problemtest.Brief(err)); diff != "" {
			t.Errorf("%d is set (-want +got):\n%s", year, diff)
		}
		if _, err := w.RealityData(t.Context(), d.ID, ""); err != nil {
			t.Errorf("%d: %v", year, err)
		}
	}
}
