package twins

// Kinds are all types of records of the area.
var Kinds = kinds

// LimitExports makes exports of more twins fail.
func (s *Service) LimitExports(twins int) { s.exportTwins = twins }
