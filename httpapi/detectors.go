package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

const (
	allDetectors = "/reality-analysis/detectors"
	eachDetector = allDetectors + "/{detectorName}"
	eachBuild    = eachDetector + "/versions/{versionNumber}"
)

func detectorsArea(svc *realitydata.Service) area {
	return area{
		name:    "detectors",
		served:  svc != nil,
		scopes:  []string{twinplatform.ScopePlatform},
		version: 2,
		read:    "member of the detector's account, or a published version",
		modify:  "maker of the detector, or organization administrator",
		bad:     realitydata.InvalidDetectorRequest,
		rows:    append(detectorRows(svc), detectorVersionRows(svc)...),
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

// detectorBody is decodeBody with targets as the area names them: detector.type.
func detectorBody[B any](x *exchange) (B, error) {
	b, err := decodeBody[B](x)
	if e, ok := errors.AsType[*twinplatform.Error](err); ok {
		for i, d := range e.Details {
			if d.Target != "" {
				e.Details[i].Target = "detector." + d.Target
			}
		}
	}
	return b, err
}

// wholeOf adds to a detector the addresses that its Ready versions are loaded
// from.
func wholeOf(ctx context.Context, x *exchange, svc *realitydata.Service, d realitydata.Detector) (out detectorAnswer, err error) {
	out.Detector = wholeDetector{Detector: d, Versions: make([]versionAnswer, len(d.Versions))}
	for i, v := range d.Versions {
		out.Detector.Versions[i].DetectorVersion = v
		if v.Status == realitydata.VersionReady {
			download, err := svc.DownloadURL(ctx, d.Name, v.VersionNumber)
			if err != nil {
				return out, err
			}
			out.Detector.Versions[i].DownloadURL = x.rooted(download)
		}
	}
	return out, nil
}

func detectorRows(svc *realitydata.Service) []*row {
	whole := func(ctx context.Context, x *exchange, res twinplatform.Result[realitydata.Detector], err error) (detectorAnswer, error) {
		if err != nil {
			return detectorAnswer{}, err
		}
		x.w.Header().Set("ETag", res.Records[0].ETag)
		return wholeOf(ctx, x, svc, res.Value())
	}
	rows := []*row{
		answer(Operation{ID: "detectors.create", Method: http.MethodPost, Path: allDetectors, Summary: "Create detector", Permission: "none"},
			http.StatusCreated, detectorBody[realitydata.NewDetector], func(ctx context.Context, x *exchange, n realitydata.NewDetector) (detectorAnswer, error) {
				res, err := svc.CreateDetector(ctx, n)
				if err == nil {
					x.w.Header().Set("Location", string(x.member(nil, n.Name)))
				}
				return whole(ctx, x, res, err)
			}),
		list(Operation{
			ID: "detectors.list", Method: http.MethodGet, Path: allDetectors, Summary: "List detectors", Addition: true,
			Query: []Parameter{{Name: "$filter", Description: "type eq '…' or name eq '…'."}},
		}, paging{continuation: "continuationToken", noDelta: true}, "detectors",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[realitydata.Detector], error) {
				return svc.Detectors(ctx, realitydata.DetectorQuery{ListOptions: o, Filter: x.query("$filter")})
			}),
		answer(Operation{ID: "detectors.get", Method: http.MethodGet, Path: eachDetector, Summary: "Get a detector", Addition: true},
			http.StatusOK, decodeNothing, func(ctx context.Context, x *exchange, _ nothing) (detectorAnswer, error) {
				rec, err := svc.Detector(ctx, x.path("detectorName"))
				if err != nil {
					return detectorAnswer{}, err
				}
				x.w.Header().Set("ETag", rec.ETag) // for If-Match; addresses of bytes are new in every answer
				return wholeOf(ctx, x, svc, rec.Value)
			}),
		answer(Operation{ID: "detectors.update", Method: http.MethodPatch, Path: eachDetector, Summary: "Update a detector", Addition: true},
			http.StatusOK, detectorBody[realitydata.DetectorPatch], func(ctx context.Context, x *exchange, p realitydata.DetectorPatch) (detectorAnswer, error) {
				res, err := svc.UpdateDetector(ctx, x.path("detectorName"), p, x.ifMatch())
				return whole(ctx, x, res, err)
			}),
		discard(Operation{ID: "detectors.delete", Method: http.MethodDelete, Path: eachDetector, Summary: "Delete a detector with its versions", Addition: true},
			func(ctx context.Context, x *exchange) error { return svc.DeleteDetector(ctx, x.path("detectorName")) }),
	}
	refuseMisspelt(rows)
	return rows
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

type href struct {
	Href string `json:"href"`
}

func detectorVersionRows(svc *realitydata.Service) []*row {
	step := func(o Operation, call func(ctx context.Context, name, number string) error) *row {
		o.Addition = true
		return discard(o, func(ctx context.Context, x *exchange) error {
			return call(ctx, x.path("detectorName"), x.path("versionNumber"))
		})
	}
	return []*row{
		answer(Operation{ID: "detectorVersions.create", Method: http.MethodPost, Path: eachDetector + "/versions", Summary: "Create a detector version", Addition: true},
			http.StatusCreated, decodeBody[realitydata.NewDetectorVersion], func(ctx context.Context, x *exchange, n realitydata.NewDetectorVersion) (out newVersionAnswer, err error) {
				name := x.path("detectorName")
				var upload string
				out.Version, upload, err = svc.CreateDetectorVersion(ctx, name, n)
				out.Links.UploadURL.Href = x.rooted(upload)
				out.Links.CompleteURL.Href = "detectors/" + url.PathEscape(name) + "/versions/" + n.VersionNumber + "/complete"
				return out, err
			}),
		step(Operation{ID: "detectorVersions.complete", Method: http.MethodPost, Path: eachBuild + "/complete", Summary: "Say that the bytes of a version are there"}, svc.CompleteDetectorVersion),
		step(Operation{ID: "detectorVersions.publish", Method: http.MethodPost, Path: eachBuild + "/publish", Summary: "Let all accounts use a version"}, svc.PublishDetectorVersion),
		step(Operation{ID: "detectorVersions.unpublish", Method: http.MethodPost, Path: eachBuild + "/unpublish", Summary: "Keep a version to its account"}, svc.UnpublishDetectorVersion),
		step(Operation{ID: "detectorVersions.delete", Method: http.MethodDelete, Path: eachBuild, Summary: "Delete a detector version"}, svc.DeleteDetectorVersion),
	}
}
