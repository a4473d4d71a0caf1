package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

const allDetectors = "/reality-analysis/detectors"

func detectorsArea(svc *realitydata.Service) area {
	n := &noun{
		path: allDetectors, many: "detectors", one: "detector", things: "detectors", thing: "a detector", id: "detectorName",
	}
	return area{
		name:    "detectors",
		served:  svc != nil,
		scopes:  []string{twinplatform.ScopePlatform},
		version: 2,
		read:    "member of the detector's account, or a published version",
		modify:  "maker of the detector, or organization administrator",
		bad:     realitydata.InvalidDetectorRequest,
		maxTop:  realitydata.MaxTop,
		rows:    func() rows { return append(detectorRows(n, svc), detectorVersionRows(n.each(), svc)...) },
	}
}

// detectorAnswer is a detector with its versions, as it is answered alone.
type detectorAnswer struct {
	Detector wholeDetector `json:"detector"`
}

type wholeDetector struct {
	realitydata.Detector
	Versions []versionAnswer `json:"versions"`
}

type versionAnswer struct {
	realitydata.DetectorVersion
	DownloadURL string `json:"downloadUrl,omitempty"`
}

// wholeOf adds to a detector the addresses that its Ready versions are loaded
// from, which are new in every answer.
func (x *exchange) wholeOf(ctx context.Context, svc *realitydata.Service, d realitydata.Detector, etag string) (out detectorAnswer, err error) {
	x.w.Header().Set("ETag", etag)
	out.Detector = wholeDetector{Detector: d, Versions: make([]versionAnswer, len(d.Versions))}
	for i, v := range d.Versions {
		out.Detector.Versions[i].DetectorVersion = v
		if loadable(v) {
			download, err := svc.DownloadURL(ctx, d.Name, v.VersionNumber)
			if err != nil {
				return out, err
			}
			out.Detector.Versions[i].DownloadURL = x.resolve(download)
		}
	}
	return out, nil
}

// detectorGet is the row of one detector. Whoever has one without addresses has it still; an
// address is new in every answer, so one with addresses is never as it was.
func detectorGet(n *noun, svc *realitydata.Service) *row {
	r := answer(n.gets(), http.StatusOK, func(context.Context, *exchange, nothing) (detectorAnswer, error) {
		return detectorAnswer{}, nil // serve below answers
	})
	r.replies = append(r.replies, notModified)
	r.serve = func(ctx context.Context, x *exchange) error {
		rec, err := svc.Detector(ctx, x.path("detectorName"))
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(rec.Value.Versions, loadable) && x.notModified(rec.ETag) {
			x.set("Etag", rec.ETag)
			return x.sendNothing(http.StatusNotModified)
		}
		out, err := x.wholeOf(ctx, svc, rec.Value, rec.ETag)
		if err != nil {
			return err
		}
		text, err := wire.Marshal(out)
		if err != nil {
			return err
		}
		return x.send(http.StatusOK, text)
	}
	return r
}

// loadable reports whether a version has an address that its bytes are loaded from.
func loadable(v realitydata.DetectorVersion) bool { return v.Status == realitydata.VersionReady }

func detectorCreate(n *noun, svc *realitydata.Service) *row {
	r := answer(n.creates(), http.StatusCreated, func(ctx context.Context, x *exchange, b realitydata.NewDetector) (detectorAnswer, error) {
		res, err := svc.CreateDetector(ctx, b)
		if err != nil {
			return detectorAnswer{}, err
		}
		x.w.Header().Set("Location", string(x.member(nil, b.Name)))
		return x.wholeOf(ctx, svc, res.Value(), res.Records[0].ETag)
	}).documented().says("Create detector").needs("none")
	r.replies[0].headers = []string{"Location"}
	return r
}

func detectorRows(n *noun, svc *realitydata.Service) rows {
	rs := rows{
		detectorCreate(n, svc),
		list(n, paging{continuation: "continuationToken", noDelta: true}, svc.Detectors,
			text("$filter", "type eq '…' or name eq '…'.", func(q *realitydata.DetectorQuery) *string { return &q.Filter })),
		detectorGet(n, svc),
		answer(n.updates(), http.StatusOK, func(ctx context.Context, x *exchange, p realitydata.DetectorPatch) (detectorAnswer, error) {
			res, err := svc.UpdateDetector(ctx, x.path("detectorName"), p, x.preconditions()...)
			if err != nil {
				return detectorAnswer{}, err
			}
			return x.wholeOf(ctx, svc, res.Value(), res.Records[0].ETag)
		}).drifting("versions"), // with addresses that are signed for each answer
		discard(n, svc.DeleteDetector).says("Delete a detector with its versions"),
	}
	for _, r := range rs {
		if r.in != nil || r.ID == n.gets().ID {
			r.replies[0].headers = append(r.replies[0].headers, "ETag")
		}
		r.detail = func(d *twinplatform.Detail) {
			if d.Target != "" {
				d.Target = "detector." + d.Target
			}
		}
	}
	return rs.refuseMisspelt()
}

// newVersionAnswer is a new version with where its bytes go, and what is to be
// called once they are there. That address is relative to the area.
type newVersionAnswer struct {
	Version realitydata.DetectorVersion `json:"version"`
	Links   struct {
		CompleteURL href `json:"completeUrl"`
		UploadURL   href `json:"uploadUrl"`
	} `json:"_links"`
}

func detectorVersionRows(detector string, svc *realitydata.Service) rows {
	n := &noun{path: detector + "/versions", many: "detectorVersions", thing: "a detector version", id: "versionNumber"}
	step := func(verb, summary string) Operation {
		return n.operation(verb, http.MethodPost, n.each()+"/"+verb, summary)
	}
	return rows{
		answer(n.creates(), http.StatusCreated, func(ctx context.Context, x *exchange, b realitydata.NewDetectorVersion) (out newVersionAnswer, err error) {
			name := x.path("detectorName")
			var upload string
			out.Version, upload, err = svc.CreateDetectorVersion(ctx, name, b)
			out.Links.UploadURL.Href = x.resolve(upload)
			l, complete := x.lexicon(), n.each()+"/complete"
			relative := strings.TrimPrefix(l.Path(complete), path.Dir(l.Path(allDetectors))+"/")
			out.Links.CompleteURL.Href = strings.NewReplacer("{detectorName}", url.PathEscape(name), "{versionNumber}", b.VersionNumber).Replace(relative)
			return out, err
		}),
		discardIn(n, svc.CompleteDetectorVersion).as(step("complete", "Say that the bytes of a version are there")).onRecord(),
		discardIn(n, svc.PublishDetectorVersion).as(step("publish", "Let all accounts use a version")).onRecord(),
		discardIn(n, svc.UnpublishDetectorVersion).as(step("unpublish", "Keep a version to its account")).onRecord(),
		discardIn(n, svc.DeleteDetectorVersion),
	}
}
