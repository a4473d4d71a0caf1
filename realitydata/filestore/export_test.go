package filestore

// OpenFolder opens the backend of Open.
func OpenFolder(dir string) (Backend, error) { return openFolder(dir) }
