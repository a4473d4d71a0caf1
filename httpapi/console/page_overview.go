package console

import "github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"

var overviewPages = table{
	{pattern: "GET /", title: "Overview", page: overview},
}

func overview(*request) (html.Node, error) {
	return heading("Overview"), nil
}
