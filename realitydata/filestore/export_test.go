package filestore

// OpenFolder opens the backend of Open.
func OpenFolder(dir string) (Backend, error) { return openFolder(dir) }

// OpenSharedFolder opens the backend of OpenShared.
func OpenSharedFolder(dir string) (Backend, error) { return openSharedFolder(dir) }
