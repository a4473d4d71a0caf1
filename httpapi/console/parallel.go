package console

import "sync"

// askedAtOnce is how many requests to the API a page has under way at a time.
const askedAtOnce = 8

// askAll asks for n things, a few at a time, and returns them in their order. It returns
// the first error in that order; what is under way then is waited for. ask runs in several
// goroutines at once: it may send requests, and look nothing up.
func askAll[T any](n int, ask func(i int) (T, error)) ([]T, error) {
	var (
		all   = make([]T, n)
		errs  = make([]error, n)
		group sync.WaitGroup
		free  = make(chan struct{}, askedAtOnce)
		once  sync.Once
		fault any
	)
	for i := range n {
		free <- struct{}{}
		group.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					once.Do(func() { fault = v })
				}
				<-free
			}()
			all[i], errs[i] = ask(i)
		})
	}
	group.Wait()
	if fault != nil {
		panic(fault) // as if the page had asked itself, for what answers for it
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
