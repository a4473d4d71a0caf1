package cpm

import "slices"

// Task is the one with a number.
func (n *Network) Task(task int) Task { return n.tasks[task] }

// With is the network with another task at a number, to find out what a change would
// do. The network stays as it is.
func (n *Network) With(task int, t Task) *Network {
	changed := *n
	changed.tasks = slices.Clone(n.tasks)
	changed.tasks[task] = t
	return &changed
}
