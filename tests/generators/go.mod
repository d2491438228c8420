// Code generators for the Go stubs, in a module of their own: buf requires an
// unreleased protobuf runtime, and generated code must name a released one.
module informerd.test/generators

go 1.26.0

tool (
	google.golang.org/grpc/cmd/protoc-gen-go-grpc
	google.golang.org/protobuf/cmd/protoc-gen-go
)

require (
	google.golang.org/grpc/cmd/protoc-gen-go-grpc v1.6.2 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
