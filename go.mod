module batchlab

go 1.26
