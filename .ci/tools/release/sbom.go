package main

import (
	"debug/buildinfo"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// sbom writes what the program is made of, as its build says, in the format of CycloneDX.
func (r *release) sbom(dir, built string) error {
	info, err := buildinfo.ReadFile(built)
	if err != nil {
		return err
	}
	main := component(cdx.ComponentTypeApplication, info.Main)
	parts := []cdx.Component{component(cdx.ComponentTypeLibrary,
		debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")})}
	for _, dep := range info.Deps {
		parts = append(parts, component(cdx.ComponentTypeLibrary, *dep))
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &main}
	bom.Components = &parts
	file, err := os.Create(filepath.Join(dir, program+"_"+strings.TrimPrefix(r.version, "v")+"_sbom.cdx.json"))
	if err != nil {
		return err
	}
	return errors.Join(cdx.NewBOMEncoder(file, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom), file.Close())
}

func component(kind cdx.ComponentType, m debug.Module) cdx.Component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	return cdx.Component{BOMRef: url, Type: kind, Name: m.Path, Version: m.Version, PackageURL: url}
}
