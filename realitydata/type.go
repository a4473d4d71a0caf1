package realitydata

import "slices"

// The registered types of reality data. Other types are free, but may not differ from one
// of these by the case of its letters alone.
const (
	CCImageCollection  = "CCImageCollection"
	Cesium3DTiles      = "Cesium3DTiles"
	DAE                = "DAE"
	ContextDetector    = "ContextDetector"
	ContextScene       = "ContextScene"
	DGN                = "DGN"
	E57                = "E57"
	FBX                = "FBX"
	GLB                = "GLB"
	GLTF               = "GLTF"
	KML                = "KML"
	LAS                = "LAS"
	LAZ                = "LAZ"
	LOD                = "LOD"
	LODTree            = "LODTree"
	OBJ                = "OBJ"
	OMR                = "OMR"
	OPC                = "OPC"
	OSGB               = "OSGB"
	OVF                = "OVF"
	OVT                = "OVT"
	PLY                = "PLY"
	PNTS               = "PNTS"
	PointCloud         = "PointCloud"
	RealityMesh3DTiles = "RealityMesh3DTiles"
	SLPK               = "SLPK"
	SpaceEyes3D        = "SpaceEyes3D"
	SuperMap           = "SuperMap"
	S3C                = "S3C"
	Terrain3DTiles     = "Terrain3DTiles"
	TexturedTiePoints  = "TexturedTiePoints"
	ThreeSM            = "3SM"
	ThreeMX            = "3MX"
	Unstructured       = "Unstructured"
	Orthophoto         = "Orthophoto"
	SplatPLY           = "GS_PLY"
	SplatSPZ           = "GS_SPZ"
	Splat3DTiles       = "GS_3DT"
	GeoJSON            = "GeoJSON"
	SHP                = "SHP"
)

var reservedTypes = []string{
	CCImageCollection, Cesium3DTiles, DAE, ContextDetector, ContextScene, DGN, E57, FBX, GLB, GLTF,
	KML, LAS, LAZ, LOD, LODTree, OBJ, OMR, OPC, OSGB, OVF, OVT, PLY, PNTS, PointCloud,
	RealityMesh3DTiles, SLPK, SpaceEyes3D, SuperMap, S3C, Terrain3DTiles, TexturedTiePoints, ThreeSM,
	ThreeMX, Unstructured, Orthophoto, SplatPLY, SplatSPZ, Splat3DTiles, GeoJSON, SHP,
}

// ReservedTypes are the registered types of reality data.
func ReservedTypes() []string { return slices.Clone(reservedTypes) }
