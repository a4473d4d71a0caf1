package gltf

import (
	"fmt"
	"slices"
	"strings"
)

// kept are extensions that hold where meshes and nodes are as they are without them: they say what a surface looks
// like, or add to what is read here. They stay in the file.
var kept = []string{
	"EXT_texture_avif", "EXT_texture_webp", "KHR_animation_pointer", "KHR_lights_punctual",
	"KHR_mesh_quantization", "KHR_node_visibility", "KHR_texture_basisu", "KHR_texture_transform", "KHR_xmp_json_ld",
	"EXT_mesh_features", "EXT_structural_metadata", "EXT_instance_features", "CESIUM_primitive_outline",
}

// cures are what helps against extensions that are required and not read.
var cures = map[string]string{
	"KHR_draco_mesh_compression": "save it without compression, as \"gltf-transform copy\" does",
	"EXT_meshopt_compression":    "save it without compression, as \"gltf-transform copy\" does",
}

// extensions refuses what is required and not read, and warns of what is not read.
func (m *Model) extensions() error {
	for _, name := range m.doc.extensionsRequired {
		if known(name) {
			continue
		}
		cure, ok := cures[name]
		if !ok {
			cure = "save it without that extension"
		}
		return fmt.Errorf("%w: %s; %s", ErrExtension, short(name), cure)
	}
	for _, name := range m.doc.extensionsUsed {
		if !known(name) {
			m.warn("extension "+short(name), "It is not read; what it adds stays in the file.")
		}
	}
	if n := len(m.doc.animations); n > 0 {
		m.warn("file", "%d animations in it are not read.", n)
	}
	return nil
}

func known(name string) bool {
	return slices.Contains(kept, name) || strings.HasPrefix(name, "KHR_materials_")
}
