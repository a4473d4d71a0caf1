package plan

// Visiting limits a detector to so many tasks for links one by one.
func (d *CycleDetector) Visiting(tasks int) *CycleDetector {
	d.steps = tasks
	return d
}
