package admin

import (
	"runtime"
	"runtime/debug"
)

// Version identifies the running program.
type Version struct {
	// Version is the version of the module, such as v0.3.0, and "(devel)" in a build that
	// is not from a release.
	Version string `json:"version"`
	// Revision is the commit that it was built from, and Modified says that there were
	// changes on top of it; empty and false where the build does not record it.
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	// Go is the version of Go that it was built with.
	Go string `json:"go"`
}

// BuildVersion is the version that the build of this program recorded.
func BuildVersion() Version {
	v := Version{Version: "(devel)", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String is a version as people read it.
func (v Version) String() string {
	s := v.Version
	if v.Revision != "" {
		s += " (" + v.Revision
		if v.Modified {
			s += ", modified"
		}
		s += ")"
	}
	return s + " " + v.Go
}
