package storagetest

// Disk is a simulated disk.
type Disk struct{}
