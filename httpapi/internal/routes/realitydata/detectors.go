package realitydata

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

const allDetectors = "/reality-analysis/detectors"

// Detectors is the area of detectors, which analyze reality data.
func Detectors(svc *realitydata.Service) cycle.Area {
	n := &route.Resource{
		Path: allDetectors, Many: "detectors", One: "detector", Plural: "detectors", Singular: "a detector",
		ID: "detectorName",
	}
	return cycle.Area{
		Name:    "detectors",
		Served:  svc != nil,
		Scopes:  []string{twinplatform.ScopePlatform},
		Version: 2,
		Read:    "member of the detector's account, or a published version",
		Modify:  "maker of the detector, or organization administrator",
		Bad:     realitydata.InvalidDetectorRequest,
		MaxTop:  realitydata.MaxTop,
		Routes:  func() cycle.Routes { return append(detectorRoutes(n, svc), detectorVersionRoutes(n.Each(), svc)...) },
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
func wholeOf(ctx context.Context, x *cycle.Exchange, svc *realitydata.Service, d realitydata.Detector,
	etag string,
) (out detectorAnswer, err error) {
	x.W.Header().Set("ETag", etag)
	out.Detector = wholeDetector{Detector: d, Versions: make([]versionAnswer, len(d.Versions))}
	for i, v := range d.Versions {
		out.Detector.Versions[i].DetectorVersion = v
		if loadable(v) {
			download, err := svc.DownloadURL(ctx, d.Name, v.VersionNumber)
			if err != nil {
				return out, err
			}
			out.Detector.Versions[i].DownloadURL = x.Resolve(download)
		}
	}
	return out, nil
}

// detectorGet is the route of one detector. A detector without addresses may be cached; an
// address is new in every answer, so one with addresses is always modified.
func detectorGet(n *route.Resource, svc *realitydata.Service) *cycle.Route {
	r := route.Answer(n.Gets(), http.StatusOK,
		func(context.Context, *cycle.Exchange, cycle.Nothing) (detectorAnswer, error) {
			return detectorAnswer{}, nil // serve below answers
		}).Giving(n.One, reflect.TypeFor[wholeDetector]())
	r.Replies = append(r.Replies, route.NotModified)
	r.Serve = func(ctx context.Context, x *cycle.Exchange) error {
		rec, err := svc.Detector(ctx, x.Path("detectorName"))
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(rec.Value.Versions, loadable) && x.NotModified(rec.ETag) {
			x.Set("Etag", rec.ETag)
			return x.SendNothing(http.StatusNotModified)
		}
		out, err := wholeOf(ctx, x, svc, rec.Value, rec.ETag)
		if err != nil {
			return err
		}
		text, err := wire.Marshal(out)
		if err != nil {
			return err
		}
		return x.Send(http.StatusOK, text)
	}
	return r
}

// loadable reports whether a version has an address that its bytes are loaded from.
func loadable(v realitydata.DetectorVersion) bool { return v.Status == realitydata.VersionReady }

func detectorCreate(n *route.Resource, svc *realitydata.Service) *cycle.Route {
	r := route.Answer(n.Creates(), http.StatusCreated,
		func(ctx context.Context, x *cycle.Exchange, b realitydata.NewDetector) (detectorAnswer, error) {
			res, err := svc.CreateDetector(ctx, b)
			if err != nil {
				return detectorAnswer{}, err
			}
			x.W.Header().Set("Location", string(x.Member(nil, b.Name)))
			return wholeOf(ctx, x, svc, res.Value(), res.Records[0].ETag)
		}).Documented().Summarized("Create detector").Needs("none")
	r.Replies[0].Headers = []string{"Location"}
	return r
}

func detectorRoutes(n *route.Resource, svc *realitydata.Service) cycle.Routes {
	rs := cycle.Routes{
		detectorCreate(n, svc),
		route.List(n, cycle.Paging{Continuation: "continuationToken", NoDelta: true}, svc.Detectors,
			route.Text("$filter", "type eq '…' or name eq '…'.",
				func(q *realitydata.DetectorQuery) *string { return &q.Filter })),
		detectorGet(n, svc),
		route.Answer(n.Updates(), http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, p realitydata.DetectorPatch) (detectorAnswer, error) {
				res, err := svc.UpdateDetector(ctx, x.Path("detectorName"), p, x.Preconditions()...)
				if err != nil {
					return detectorAnswer{}, err
				}
				return wholeOf(ctx, x, svc, res.Value(), res.Records[0].ETag)
			}).Drifting("versions"), // with addresses that are signed for each answer
		route.Discard(n, svc.DeleteDetector).Summarized("Delete a detector with its versions"),
	}
	for _, r := range rs {
		if r.Body != nil || r.ID == n.Gets().ID {
			r.Replies[0].Headers = append(r.Replies[0].Headers, "ETag")
		}
		r.Detail = func(d *twinplatform.Detail) {
			if d.Target != "" {
				d.Target = "detector." + d.Target
			}
		}
	}
	return rs.RefuseMisspelt()
}

// newVersionAnswer is a new version with where its bytes go, and what is to be
// called once they are there. That address is relative to the area.
type newVersionAnswer struct {
	Version realitydata.DetectorVersion `json:"version"`
	Links   struct {
		CompleteURL cycle.Link `json:"completeUrl"`
		UploadURL   cycle.Link `json:"uploadUrl"`
	} `json:"_links"`
}

func detectorVersionRoutes(detector string, svc *realitydata.Service) cycle.Routes {
	n := &route.Resource{
		Path: detector + "/versions", Many: "detectorVersions", Singular: "a detector version",
		ID: "versionNumber",
	}
	step := func(verb, summary string) cycle.Operation {
		return n.Operation(verb, http.MethodPost, n.Each()+"/"+verb, summary)
	}
	return cycle.Routes{
		route.Answer(n.Creates(), http.StatusCreated,
			func(ctx context.Context, x *cycle.Exchange, b realitydata.NewDetectorVersion) (out newVersionAnswer,
				err error,
			) {
				name := x.Path("detectorName")
				var upload string
				out.Version, upload, err = svc.CreateDetectorVersion(ctx, name, b)
				out.Links.UploadURL.Href = x.Resolve(upload)
				l, complete := x.Lexicon(), n.Each()+"/complete"
				relative := strings.TrimPrefix(l.Path(complete), path.Dir(l.Path(allDetectors))+"/")
				out.Links.CompleteURL.Href = strings.NewReplacer("{detectorName}", url.PathEscape(name),
					"{versionNumber}", b.VersionNumber).Replace(relative)
				return out, err
			}),
		route.DiscardIn(n, svc.CompleteDetectorVersion).As(step("complete",
			"Confirm that the bytes of a version are there")).OnRecord(),
		route.DiscardIn(n, svc.PublishDetectorVersion).As(step("publish", "Let all accounts use a version")).OnRecord(),
		route.DiscardIn(n, svc.UnpublishDetectorVersion).As(step("unpublish",
			"Keep a version to its account")).OnRecord(),
		route.DiscardIn(n, svc.DeleteDetectorVersion),
	}
}
