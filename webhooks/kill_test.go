package webhooks_test

const childArgument = "-webhooks-child"

func child([]string) int { return 0 }
