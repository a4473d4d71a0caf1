package console

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/risk"
)

// assetsPath is where files are served that pages load. Their names hold a digest of their
// content, so that browsers may keep them forever and still get those of a new version.
const assetsPath = "/assets/"

//go:embed assets
var files embed.FS

// asset is a file that pages refer to, by a name that changes with what is in it.
type asset struct {
	name, mediaType string
	body            []byte
}

// assets are, by file extension, the style sheets as one, the scripts as one, and the
// icon.
var assets = sync.OnceValue(func() map[string]asset {
	out := make(map[string]asset)
	for ending, mediaType := range map[string]string{
		".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	} {
		entries, err := files.ReadDir("assets")
		if err != nil {
			panic(err)
		}
		var body bytes.Buffer
		for _, e := range entries {
			if path.Ext(e.Name()) == ending {
				b, err := files.ReadFile("assets/" + e.Name())
				if err != nil {
					panic(err)
				}
				body.Write(b)
			}
		}
		if ending == ".css" {
			body.WriteString(gantt.Style())
			body.WriteString(risk.Style())
		}
		digest := sha256.Sum256(body.Bytes())
		out[ending] = asset{"console-" + hex.EncodeToString(digest[:8]) + ending, mediaType, body.Bytes()}
	}
	return out
})

// asset answers with one. A name of another version of the console is not there.
func (c *Console) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	a, ok := assets()[path.Ext(name)]
	a.serve(w, r, ok && a.name == name)
}

// modules are the scripts of a page as ES modules, by their names, in a folder whose name changes with what is in any
// of them: so they name each other by what they are called.
var modules = sync.OnceValue(func() map[string]asset {
	out, all := make(map[string]asset), sha256.New()
	entries, err := files.ReadDir("assets/" + moduleFolder)
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		body, err := files.ReadFile("assets/" + moduleFolder + "/" + e.Name())
		if err != nil {
			panic(err)
		}
		out[e.Name()] = asset{mediaType: "text/javascript; charset=utf-8", body: body}
		_, _ = all.Write(append([]byte(e.Name()), body...))
	}
	folder := moduleFolder + "-" + hex.EncodeToString(all.Sum(nil)[:8])
	for name, a := range out {
		a.name = folder + "/" + name
		out[name] = a
	}
	return out
})

// moduleFolder has the modules of the page 4D.
const moduleFolder = "4d"

// module answers with one.
func (c *Console) module(w http.ResponseWriter, r *http.Request) {
	a, ok := modules()[r.PathValue("name")]
	a.serve(w, r, ok && a.name == r.PathValue("folder")+"/"+r.PathValue("name"))
}

// Modules are the addresses of the modules of the page 4D, that which begins first.
func (r *request) Modules() []string {
	all := []string{r.Link(assetsPath + modules()["page.js"].name)}
	for _, name := range slices.Sorted(maps.Keys(modules())) {
		if name != "page.js" {
			all = append(all, r.Link(assetsPath+modules()[name].name))
		}
	}
	return all
}

// serve answers with the asset, if it is there.
func (a *asset) serve(w http.ResponseWriter, r *http.Request, there bool) {
	if !there {
		http.Error(w, "File not found.", http.StatusNotFound)
		return
	}
	h, digest := w.Header(), sha256.Sum256(a.body)
	h.Set("Content-Type", a.mediaType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", strconv.Quote(hex.EncodeToString(digest[:8])))
	if sent := r.Header.Get("If-None-Match"); sent != "" && twinplatform.NamesETag(sent, h.Get("ETag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	_, _ = w.Write(a.body)
}

// AssetLink is the address of the asset with a file extension.
func (r *request) AssetLink(ending string) string { return r.Link(assetsPath + assets()[ending].name) }
