package objectstore

var (
	Escape      = escape
	ContainerOf = containerOf
)

// Folder is the folder of a container, behind the prefix.
func Folder(containerID string) string { return new(Bucket).folder(containerID) }
