package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// MaxGLTFBytes is how long a file of a 3D model may be that is imported by one call.
const MaxGLTFBytes = 8 << 20

// maxGLTFObjects is how many accessors, meshes and whatever else but nodes such a file may have.
const maxGLTFObjects = 50_000

// GLTFImport is what came of the import of a 3D model.
type GLTFImport struct {
	Changeset twinplatform.Result[Changeset]
	Warnings  []ImportWarning // never null
}

// ImportWarning is something that a file says and the model does not hold, or not so.
type ImportWarning struct {
	// What names the item of the file: the kind and the index of it, such as "node 17".
	What string `json:"what"`
	Text string `json:"text"`
}

// GLTFElements returns the nodes of a 3D model as elements, each behind what it is a part of, for programs whose models
// are larger than ImportGLTF takes: they put them into a [Target].
//
//   - The id is the member id of the extras, or else follows from the names of the node and of what it is below: it is
//     the same whenever the same model is exported again. Of nodes that have the same name below the same node it follows
//     from their order as well, with a warning. Nodes of the same names in two files have the same id: files that are
//     parts of one model need ids in their extras.
//   - The code is the member code of the extras, and the federation GUID their member guid or GlobalId, if it is one.
//   - The class is their member class, or else Object, or Group for a node without a mesh. A node with a mesh has a
//     category, their member category or else Objects.
//   - All other members, and the name of the node, are properties.
//   - The box is in the axes of models, in which Z points up. The geometry is a GLB of the node alone, in the axes of
//     glTF. A node whose geometry has more than MaxGeometryBytes has none, with a warning.
//
// They have at most so many bytes of geometry and properties. Error: InvalidModelRequest beyond that.
func GLTFElements(m *gltf.Model, most int) ([]NewElement, []ImportWarning, error) {
	g := gltfElements{
		model: m, objects: m.Objects(), most: most, ids: make([]string, len(m.Nodes)), used: make(map[string]int),
		named: make(map[string]*sameName),
	}
	for _, w := range m.Warnings {
		g.warnings = append(g.warnings, ImportWarning(w))
	}
	for i := range m.Nodes {
		if m.Nodes[i].Parent != gltf.None {
			continue
		}
		for k := range m.Below(i) {
			if err := g.add(k); err != nil {
				return nil, nil, err
			}
		}
	}
	g.warnOfOrder()
	return g.elements, g.warnings, nil
}

// gltfElements are the elements of a 3D model in the making.
type gltfElements struct {
	model    *gltf.Model
	objects  *gltf.Objects
	most     int // bytes that may still be added
	ids      []string
	used     map[string]int // which node has an id
	named    map[string]*sameName
	order    []*sameName // as they occur
	elements []NewElement
	warnings []ImportWarning
}

// sameName are the nodes without an id that have one name below one node.
type sameName struct {
	first, nodes int
	last         int // the number in the last id
}

func (g *gltfElements) warn(node int, text string) {
	switch len(g.warnings) {
	case gltf.MaxWarnings:
		return
	case gltf.MaxWarnings - 1:
		g.warnings = append(g.warnings, ImportWarning{"file", "There are more warnings than these."})
		return
	}
	g.warnings = append(g.warnings, ImportWarning{"node " + strconv.Itoa(node), text})
}

// add adds the element of a node.
func (g *gltfElements) add(i int) error {
	n := &g.model.Nodes[i]
	e := NewElement{
		Class: "Object", Category: "Objects", Code: twinplatform.NullString(n.Code),
		Properties: make(ElementProperties, len(n.Properties)+1),
	}
	if n.Mesh == gltf.None {
		e.Class, e.Category = "Group", ""
	}
	if n.Name != "" {
		e.Properties["name"] = n.Name
	}
	if err := g.extras(i, &e); err != nil {
		return err
	}
	if other, ok := g.used[e.ID]; ok {
		g.warn(i, "The member id of its extras is the id of node "+strconv.Itoa(other)+
			" as well: its own follows from its name instead.")
		e.ID = ""
	}
	if e.ID == "" {
		e.ID = g.id(i)
	}
	g.ids[i], g.used[e.ID] = e.ID, i
	if n.Parent != gltf.None {
		e.ParentID = twinplatform.NullString(g.ids[n.Parent])
	}
	if b := n.Box.In(gltf.ZUp); b != nil {
		e.BoundingBox = &Box{Low: Point{b.Min[0], b.Min[1], b.Min[2]}, High: Point{b.Max[0], b.Max[1], b.Max[2]}}
	}
	geometry, err := g.geometry(i)
	if err != nil {
		return err
	}
	if geometry != nil {
		e.Geometry = twinplatform.Set(geometry)
		g.most -= len(geometry)
	}
	if g.elements = append(g.elements, e); g.most < 0 {
		return errMuchGLTF
	}
	return nil
}

// extras takes the members of the extras of a node over.
func (g *gltfElements) extras(i int, e *NewElement) (err error) {
	n := &g.model.Nodes[i]
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		value := n.Properties[name]
		text := gltf.Text(value)
		switch {
		case name == "id" && text != "":
			e.ID = text
		case name == "class" && text != "":
			e.Class = text
		case name == "category" && text != "":
			e.Category = twinplatform.NullString(text)
		case (name == "guid" || name == "GlobalId") && problem.IsGUID(text):
			e.FederationGUID = twinplatform.NullString(text)
		case name != "":
			if e.Properties[name], err = decoded(value); err != nil {
				return err
			}
		}
		if name == "name" && n.Name != "" && text != n.Name {
			g.warn(i, "The member name of its extras is in its properties in place of its name.")
		}
		g.most -= len(name) + len(value)
	}
	return nil
}

// geometry is the geometry of a node; nil for one that has none, or whose geometry is left out. What is too long is not
// even made: a file of a few megabytes may state gigabytes of it.
func (g *gltfElements) geometry(i int) ([]byte, error) {
	size := g.objects.Bytes(i)
	if size <= MaxGeometryBytes && size > g.most {
		return nil, errMuchGLTF
	}
	geometry, err := g.objects.GLB(i, MaxGeometryBytes)
	size = max(size, len(geometry))
	switch {
	case size > MaxGeometryBytes:
		g.warn(i, "Its geometry is left out: it has "+strconv.Itoa(size)+" bytes, and may have "+
			strconv.Itoa(MaxGeometryBytes)+".")
		return nil, nil
	case err != nil:
		g.warn(i, "Its geometry is left out: "+strings.TrimPrefix(err.Error(), "gltf: ")+".")
	}
	return geometry, nil
}

// decoded is a value with its numbers as they are written.
func decoded(value json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// id is an id that follows from the names of a node and of what it is below, and from which of those with this name it is.
func (g *gltfElements) id(i int) string {
	n := &g.model.Nodes[i]
	above := ""
	if n.Parent != gltf.None {
		above = g.ids[n.Parent]
	}
	name := above + "\n" + n.Name
	same, ok := g.named[name]
	if !ok {
		same = &sameName{first: i}
		g.named[name], g.order = same, append(g.order, same)
	}
	same.nodes++
	for {
		same.last++
		sum := sha256.Sum256([]byte(name + "\n" + strconv.Itoa(same.last)))
		id := hex.EncodeToString(sum[:10])
		if _, ok := g.used[id]; !ok {
			return id
		}
	}
}

// warnOfOrder warns of nodes whose ids follow from their order.
func (g *gltfElements) warnOfOrder() {
	for _, same := range g.order {
		if same.nodes > 1 {
			g.warn(same.first, "It is the first of "+strconv.Itoa(same.nodes)+" nodes that have the same name below "+
				"the same node, and no id in their extras: their ids follow from their order, so that an export in "+
				"another order updates other elements.")
		}
	}
}

func badGLTF(text string) error {
	return problem.With(InvalidModelRequest, problem.BadValue("", "The file cannot be imported: %s", text))
}

// errMuchGLTF is what an import fails with whose elements are too long together.
var errMuchGLTF = badGLTF("its elements have more bytes of geometry and properties than a changeset takes: import it " +
	"in parts, " + partsNeedIDs)

// partsNeedIDs says how a model is imported in parts: names may occur in each of them.
const partsNeedIDs = "such as one for each storey, whose nodes have ids in their extras; nodes of the same names in " +
	"two parts are one element else."

// ImportGLTF makes the nodes of a 3D model in glTF 2.0, a .glb or a .gltf that has all in it, elements of a model, as one
// changeset (POST /models/{modelId}/gltf): [GLTFElements] says how. Elements that are there already are updated, so that a
// model may be imported again; no element is deleted. It needs PermissionModelsWrite on the model or its twin. An error of
// content is returned as it is.
//
// Errors: InvalidModelRequest with InvalidValue for a file that is no glTF, is damaged, requires what is not read or refers
// to other files, that has more than MaxGLTFBytes, MaxChanges nodes, 50,000 accessors or the like, or MaxChangesBytes of geometry and
// properties, and
// for what CreateChangeset refuses; ModelNotFound; InsufficientPermissions; ChangesetConflict where the model is changed
// meanwhile; ChangesetInProgress.
func (s *Service) ImportGLTF(ctx context.Context, modelID string, content io.Reader) (GLTFImport, error) {
	// A caller who may not write is refused before the file is read.
	source, err := read(ctx, s, func(c caller) (own ownModel, err error) {
		m, _, err := c.changeableModel(modelID)
		if err != nil {
			return own, err
		}
		return ownModel{s: s, in: area.InAccount(m.AccountID), key: m.key()}, nil
	})
	if err != nil {
		return GLTFImport{}, err
	}
	elements, warnings, err := readGLTF(content)
	if err != nil {
		return GLTFImport{}, err
	}
	n := NewChangeset{Description: "glTF"}
	err = source.Read(ctx, "", func(c Content) error {
		n.ParentID, n.Inserted, n.Updated = c.Changeset().ID, nil, nil
		for _, e := range elements {
			there, err := c.Element(e.ID)
			switch {
			case err != nil:
				return err
			case there != nil:
				n.Updated = append(n.Updated, ElementUpdate(e))
			default:
				n.Inserted = append(n.Inserted, e)
			}
		}
		return nil
	})
	if err != nil {
		return GLTFImport{}, err
	}
	res, err := s.CreateChangeset(ctx, modelID, n)
	return GLTFImport{Changeset: res, Warnings: warnings}, err
}

// readGLTF reads a file.
func readGLTF(content io.Reader) ([]NewElement, []ImportWarning, error) {
	if content == nil {
		return nil, nil, badGLTF("it is empty.")
	}
	all, err := io.ReadAll(io.LimitReader(content, MaxGLTFBytes+1))
	if err != nil {
		return nil, nil, err
	}
	if len(all) > MaxGLTFBytes {
		return nil, nil, badGLTF("it has more than " + strconv.Itoa(MaxGLTFBytes) + " bytes.")
	}
	m, err := gltf.Read(bytes.NewReader(all), gltf.Options{MaxNodes: MaxChanges, MaxObjects: maxGLTFObjects})
	switch {
	case errors.Is(err, gltf.ErrTooLarge):
		return nil, nil, badGLTF(err.Error() + ". A larger model is imported in parts, " + partsNeedIDs)
	case errors.Is(err, gltf.ErrFormat), errors.Is(err, gltf.ErrMalformed), errors.Is(err, gltf.ErrExtension),
		errors.Is(err, gltf.ErrFile):
		return nil, nil, badGLTF(err.Error())
	case err != nil:
		return nil, nil, err
	case len(m.Nodes) == 0:
		return nil, nil, badGLTF("it has no nodes.")
	}
	elements, warnings, err := GLTFElements(m, MaxChangesBytes)
	if warnings == nil {
		warnings = []ImportWarning{}
	}
	return elements, warnings, err
}
