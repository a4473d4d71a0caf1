module github.com/seed-933f9a09/twinplatform/internal/browser

go 1.26

replace github.com/seed-933f9a09/twinplatform => ../..

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/google/go-cmp v0.7.0
	github.com/seed-933f9a09/twinplatform v0.5.0
)

require github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
